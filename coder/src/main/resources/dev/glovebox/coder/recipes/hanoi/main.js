// The towers of Hanoi: move all disks from A to C, never a larger one onto a smaller.

const DISKS = {{disks}};

/** Moves the smaller ones out of the way, then the largest, then the smaller ones onto it. */
function* moves(disks, source, target, spare) {
  if (disks === 0) return;
  yield* moves(disks - 1, source, spare, target);
  yield [disks, source, target];
  yield* moves(disks - 1, spare, target, source);
}

let count = 0;
for (const [disk, source, target] of moves(DISKS, "A", "C", "B")) {
  count++;
  console.log(`${count}. Move disk ${disk} from ${source} to ${target}`);
}
console.log("Moves:", count);
