package dev.glovebox.coder;

/** What a value can be; in a program each is a literal of its language. */
enum ValueType {
    INTEGER,
    NUMBER,
    /** A list of numbers. */
    NUMBERS,
    /** A list of whole numbers. */
    INTEGERS,
    /** A list of names with a number each; without names, they are numbered. */
    LABELLED,
    /** What is quoted, or stands in a place where it is expected. */
    TEXT,
    WORD,
    /** A list of words or texts. */
    WORDS,
    /** A list of numbers, of words, or of the letters of one word. */
    ITEMS,
    /** One of the options. */
    CHOICE,
    /** Some of the options. */
    CHOICES,
    /** A name beside the program. */
    FILE,
    DATE,
    MONTH,
    /** Rows of numbers, all of one length. */
    MATRIX,
    /** From, to, and how far that is. */
    EDGES,
    /** What may be a number in some base. */
    DIGITS,
    /** The 81 fields of a puzzle, row by row. */
    SUDOKU
}
