-- Tables derived from the log (built again from it at any time) and tables of running work that several
-- processes share.

CREATE TABLE summaries (
    case_key   INTEGER PRIMARY KEY REFERENCES cases (key),
    title      TEXT    NOT NULL,
    last_ms    INTEGER NOT NULL,
    turns      INTEGER NOT NULL,
    open_turn  INTEGER,                             -- a turn without an end: runs, or its process died
    tags       TEXT    NOT NULL,                    -- JSON array, sorted
    closed     INTEGER NOT NULL,
    deleted    INTEGER NOT NULL,
    answer     TEXT    NOT NULL                     -- start of the last answer
) STRICT;

CREATE TABLE proposals (
    n          INTEGER PRIMARY KEY,
    case_key   INTEGER NOT NULL REFERENCES cases (key),
    turn       INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('open', 'approved', 'denied', 'expired')),
    at_ms      INTEGER NOT NULL
) STRICT;
CREATE INDEX proposals_of_case ON proposals (case_key, state);

CREATE TABLE indicators (
    case_key INTEGER NOT NULL REFERENCES cases (key),
    type     TEXT    NOT NULL,
    value    TEXT    NOT NULL,
    role     TEXT    NOT NULL CHECK (role IN ('named', 'approved', 'denied', 'mentioned')),
    first_ms INTEGER NOT NULL,
    last_ms  INTEGER NOT NULL,
    PRIMARY KEY (value, type, case_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX indicators_of_case ON indicators (case_key);

CREATE VIRTUAL TABLE search USING fts5 (
    text,
    case_key UNINDEXED,
    kind     UNINDEXED,                             -- title, human, attachment, answer, proposal, evidence, indicator
    n        UNINDEXED,                             -- turn, evidence or proposal number
    tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);

CREATE TABLE cache (
    module          TEXT    NOT NULL,
    value           TEXT    NOT NULL,
    stored_ms       INTEGER NOT NULL,
    key_fingerprint TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('found', 'not_found')),
    outcome         TEXT    NOT NULL,
    PRIMARY KEY (module, value)
) STRICT;
CREATE INDEX cache_by_age ON cache (stored_ms);

CREATE TABLE rate (
    bucket TEXT    NOT NULL,
    at_ms  INTEGER NOT NULL
) STRICT;
CREATE INDEX rate_by_bucket ON rate (bucket, at_ms);

CREATE TABLE flights (
    module      TEXT    NOT NULL,
    value       TEXT    NOT NULL,
    pid         INTEGER NOT NULL,
    begun_ms    INTEGER NOT NULL,
    deadline_ms INTEGER NOT NULL,
    PRIMARY KEY (module, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE kv (
    key   TEXT    PRIMARY KEY,
    value TEXT    NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
