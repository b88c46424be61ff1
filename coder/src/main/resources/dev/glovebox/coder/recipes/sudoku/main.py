"""Solve a sudoku: fill a field, go on, and take it back where that leads nowhere."""

# The fields row by row; 0 is empty.
PUZZLE = {{puzzle}}


def candidates(board, place):
    """Return the digits that row, column and box leave for a field."""
    row, column = divmod(place, 9)
    box = row // 3 * 27 + column // 3 * 3
    used = set(board[row * 9 : row * 9 + 9]) | set(board[column::9])
    for line in range(3):
        used |= set(board[box + line * 9 : box + line * 9 + 3])
    return [digit for digit in range(1, 10) if digit not in used]


def solve(board):
    """Go on with the empty field that has the fewest candidates."""
    empty = [place for place in range(81) if board[place] == 0]
    if not empty:
        return True
    place = min(empty, key=lambda each: len(candidates(board, each)))
    for digit in candidates(board, place):
        board[place] = digit
        if solve(board):
            return True
    board[place] = 0
    return False


board = [int(digit) for digit in PUZZLE]
if solve(board):
    print("Solution:")
    for row in range(9):
        print(*board[row * 9 : row * 9 + 9])
else:
    print("This sudoku has no solution")
