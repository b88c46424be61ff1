-- Version 1. What both databases have alike (run_rows, runs, records, blobs, refs, leaves, heads, rotations) is read
-- by the same queries. Texts of others (titles, kinds) are kept as UTF-8 bytes: no collation, no forbidden character.

CREATE TABLE run_rows (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    kind bytea NOT NULL,
    title bytea NOT NULL,
    folded bytea NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint,
    -- Of a finished run its last record, which may be a redaction.
    end_seq bigint,
    stop bytea,
    noted bigint,
    records bigint NOT NULL,
    last_hash text NOT NULL
);
CREATE INDEX runs_newest ON run_rows (started_at DESC, name);
CREATE INDEX runs_by_kind ON run_rows (kind, started_at DESC, name);
CREATE INDEX runs_by_stop ON run_rows (stop, started_at DESC, name);
-- To PostgreSQL, unlike SQLite, rows without a stop are not in the order of the index above.
CREATE INDEX runs_open ON run_rows (started_at DESC, name) WHERE stop IS NULL;
CREATE INDEX runs_unnoted ON run_rows (id) WHERE noted IS NULL OR noted < end_seq;

CREATE VIEW runs AS SELECT * FROM run_rows;

CREATE TABLE records (
    run bigint NOT NULL,
    seq bigint NOT NULL,
    line bytea NOT NULL,
    PRIMARY KEY (run, seq)
);

-- Long content is in several parts, so that nobody must hold all of it twice.
CREATE TABLE blobs (
    digest bytea NOT NULL,
    part integer NOT NULL,
    bytes bigint NOT NULL,
    salt bytea NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (digest, part)
);
CREATE TABLE refs (
    digest bytea NOT NULL,
    run bigint NOT NULL,
    PRIMARY KEY (digest, run)
);

CREATE TABLE leaves (
    position bigint PRIMARY KEY,
    leaf bytea NOT NULL,
    run text COLLATE "C" NOT NULL,
    block bytea
);
CREATE INDEX leaves_by_run ON leaves (run);
CREATE INDEX leaves_blocks ON leaves (position) WHERE block IS NOT NULL;
CREATE TABLE heads (
    size bigint PRIMARY KEY,
    statement bytea NOT NULL,
    signature text NOT NULL
);
CREATE TABLE rotations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    statement bytea NOT NULL,
    signature text NOT NULL
);

-- As SQLite calls it.
CREATE FUNCTION instr(bytea, bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE RETURN position($2 IN $1);
