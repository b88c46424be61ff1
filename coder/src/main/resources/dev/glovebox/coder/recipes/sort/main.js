{% if algorithm built-in %}
// Sort a list.
{% end %}
{% if algorithm bubble %}
// Bubble sort: exchange neighbours until all stand in order.
{% end %}
{% if algorithm quick %}
// Quicksort: what is smaller than a pivot goes before it, the rest behind it.
{% end %}
{% if algorithm merge %}
// Merge sort: sort both halves, and merge them.
{% end %}
{% if algorithm insertion %}
// Insertion sort: put each item where it belongs among those before it.
{% end %}
{% if algorithm selection %}
// Selection sort: bring the smallest of the rest to the front.
{% end %}

const ITEMS = {{items}};

{% if algorithm bubble %}
function bubbleSort(given) {
  const items = [...given];
  for (let end = items.length - 1; end > 0; end--) {
    for (let i = 0; i < end; i++) {
      if (items[i] > items[i + 1]) {
        [items[i], items[i + 1]] = [items[i + 1], items[i]];
      }
    }
  }
  return items;
}

const result = bubbleSort(ITEMS);
{% end %}
{% if algorithm quick %}
function quickSort(items) {
  if (items.length <= 1) return [...items];
  const pivot = items[Math.floor(items.length / 2)];
  const smaller = items.filter((item) => item < pivot);
  const equal = items.filter((item) => item === pivot);
  const larger = items.filter((item) => item > pivot);
  return [...quickSort(smaller), ...equal, ...quickSort(larger)];
}

const result = quickSort(ITEMS);
{% end %}
{% if algorithm merge %}
function mergeSort(items) {
  if (items.length <= 1) return [...items];
  const middle = Math.floor(items.length / 2);
  const left = mergeSort(items.slice(0, middle));
  const right = mergeSort(items.slice(middle));
  const merged = [];
  while (left.length && right.length) {
    merged.push(left[0] <= right[0] ? left.shift() : right.shift());
  }
  return [...merged, ...left, ...right];
}

const result = mergeSort(ITEMS);
{% end %}
{% if algorithm insertion %}
function insertionSort(given) {
  const items = [...given];
  for (let i = 1; i < items.length; i++) {
    const item = items[i];
    let place = i;
    for (; place > 0 && items[place - 1] > item; place--) {
      items[place] = items[place - 1];
    }
    items[place] = item;
  }
  return items;
}

const result = insertionSort(ITEMS);
{% end %}
{% if algorithm selection %}
function selectionSort(given) {
  const items = [...given];
  for (let i = 0; i < items.length; i++) {
    let smallest = i;
    for (let j = i + 1; j < items.length; j++) {
      if (items[j] < items[smallest]) smallest = j;
    }
    [items[i], items[smallest]] = [items[smallest], items[i]];
  }
  return items;
}

const result = selectionSort(ITEMS);
{% end %}
{% if algorithm built-in %}
// Without a comparison, sort() would compare numbers as texts.
const result = [...ITEMS].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
{% end %}
{% if order descending %}
result.reverse();
{% end %}
console.log("Before:", ITEMS.join(", "));
console.log("After: ", result.join(", "));
