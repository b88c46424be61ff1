-- Version 1. What both databases have alike (run_rows, runs, records, blobs, refs, leaves, heads, rotations) is read
-- by the same queries. Texts of others (titles, kinds) are kept as UTF-8 bytes: no collation, no forbidden character.

CREATE TABLE run_rows (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind BLOB NOT NULL,
    title BLOB NOT NULL,
    folded BLOB NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    -- Of a finished run its last record, which may be a redaction.
    end_seq INTEGER,
    stop BLOB,
    noted INTEGER,
    settled INTEGER NOT NULL DEFAULT 0,
    last_place INTEGER
);
CREATE INDEX runs_newest ON run_rows (started_at DESC, name);
CREATE INDEX runs_by_kind ON run_rows (kind, started_at DESC, name);
CREATE INDEX runs_by_stop ON run_rows (stop, started_at DESC, name);
CREATE INDEX runs_unnoted ON run_rows (id) WHERE noted IS NULL OR noted < end_seq;

-- The records of all runs in the order in which they came. A commit with one record of each of 64 runs so
-- writes 8 pages; ordered by run it would write 64, which makes it three times slower.
CREATE TABLE appended (
    place INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    line BLOB NOT NULL
);

-- Where the records of a run are. For the same reason the latest are not in here: now and then all of them
-- are settled at once, and until then whoever looks for a run looks through them.
CREATE TABLE places (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;
CREATE TABLE settled (place INTEGER NOT NULL);
INSERT INTO settled VALUES (0);

CREATE VIEW unsettled AS
    SELECT place, run, seq, line FROM appended WHERE place > (SELECT place FROM settled);

CREATE VIEW unsettled_ends AS
    SELECT run, max(seq) + 1 AS records, place FROM unsettled GROUP BY run;

CREATE VIEW records AS
    SELECT places.run, places.seq, appended.line
        FROM places CROSS JOIN appended ON appended.place = places.place
    UNION ALL
    SELECT run, seq, line FROM unsettled;

CREATE VIEW runs AS
    SELECT id, name, kind, title, folded, started_at, finished_at, end_seq, stop, noted,
        coalesce(ends.records, settled) AS records,
        (SELECT CAST(line AS TEXT) ->> '$.hash' FROM appended
            WHERE place = coalesce(ends.place, last_place)) AS last_hash
    FROM run_rows LEFT JOIN unsettled_ends AS ends ON ends.run = id;

-- Long content is in several parts, so that nobody must hold all of it twice.
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
    part INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    salt BLOB NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (digest, part)
);
CREATE TABLE refs (
    digest BLOB NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (digest, run)
) WITHOUT ROWID;

CREATE TABLE leaves (
    position INTEGER PRIMARY KEY,
    leaf BLOB NOT NULL,
    run TEXT NOT NULL,
    block BLOB
);
CREATE INDEX leaves_by_run ON leaves (run);
CREATE INDEX leaves_blocks ON leaves (position, block) WHERE block IS NOT NULL;
CREATE TABLE heads (
    size INTEGER PRIMARY KEY,
    statement BLOB NOT NULL,
    signature TEXT NOT NULL
);
CREATE TABLE rotations (
    id INTEGER PRIMARY KEY,
    statement BLOB NOT NULL,
    signature TEXT NOT NULL
);
