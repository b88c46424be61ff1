"""The towers of Hanoi: move all disks from A to C, never a larger one onto a smaller."""

DISKS = {{disks}}


def moves(disks, source, target, spare):
    """Move the smaller ones out of the way, then the largest, then the smaller ones onto it."""
    if disks == 0:
        return
    yield from moves(disks - 1, source, spare, target)
    yield disks, source, target
    yield from moves(disks - 1, spare, target, source)


count = 0
for disk, source, target in moves(DISKS, "A", "C", "B"):
    count += 1
    print(f"{count}. Move disk {disk} from {source} to {target}")
print("Moves:", count)
