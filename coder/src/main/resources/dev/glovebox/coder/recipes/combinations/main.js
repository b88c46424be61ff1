// How many ways there are to choose some of many things.

const N = {{n}};
const K = {{k}};

/** n * (n - 1) * … with k factors. */
function arrangements(n, k) {
  let product = 1n;
  for (let i = 0; i < k; i++) {
    product *= BigInt(n - i);
  }
  return k > n ? 0n : product;
}

/** Each choice was counted once for every order of its things. */
const choices = (n, k) => arrangements(n, k) / arrangements(k, k);

console.log(`Ways to choose ${K} of ${N} (the order does not matter): ${choices(N, K)}`);
console.log(`Ways if the order matters: ${arrangements(N, K)}`);
