-- The log of cases and what guards it. Everything else in the file can be derived again from these tables.

CREATE TABLE cases (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,             -- UUID v7, lower case, with dashes
    short      TEXT    NOT NULL UNIQUE,             -- last 8 hex digits of the id
    principal  TEXT    NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE events (
    case_key INTEGER NOT NULL REFERENCES cases (key),
    seq      INTEGER NOT NULL CHECK (seq > 0),
    at_ms    INTEGER NOT NULL,
    body     TEXT    NOT NULL,                      -- JSON; exactly these bytes are hashed
    key_id   TEXT,                                  -- NULL: SHA-256; else HMAC-SHA-256 with the key of this name
    hash     BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (case_key, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
    case_key INTEGER NOT NULL REFERENCES cases (key),
    n        INTEGER NOT NULL CHECK (n > 0),
    meta     TEXT    NOT NULL,                      -- JSON; holds the SHA-256 of raw; exactly these bytes are hashed
    raw      TEXT    NOT NULL,
    key_id   TEXT,
    hash     BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (case_key, n)
) STRICT;

-- How long each chain is and where it ends, so that a cut tail shows. case_key 0 is the audit chain.
CREATE TABLE heads (
    case_key      INTEGER PRIMARY KEY,
    events        INTEGER NOT NULL,
    hash          BLOB    NOT NULL CHECK (length(hash) = 32),
    evidence      INTEGER NOT NULL,
    evidence_hash BLOB    NOT NULL CHECK (length(evidence_hash) = 32),
    key_id        TEXT,
    mac           BLOB    NOT NULL CHECK (length(mac) = 32)
) STRICT;

-- What was done to whole cases and to the file. Append-only without exception.
CREATE TABLE audit (
    seq       INTEGER PRIMARY KEY CHECK (seq > 0),
    at_ms     INTEGER NOT NULL,
    what      TEXT    NOT NULL,                     -- create, fork, delete, undelete, purge, restore
    case_id   TEXT,
    principal TEXT    NOT NULL,
    detail    TEXT    NOT NULL,
    key_id    TEXT,
    hash      BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Draws the numbers of proposals: one sequence for the whole file, never reused.
CREATE TABLE proposal_numbers (
    n INTEGER PRIMARY KEY AUTOINCREMENT
) STRICT;

-- `case purge` is the one exception to append-only: it puts a row here, deletes, and takes the row away
-- in one transaction, so that outside of it the table is empty and the triggers refuse.
CREATE TABLE purge_grants (
    case_key INTEGER PRIMARY KEY
) STRICT;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the log of a case is append-only'); END;

CREATE TRIGGER events_no_delete BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM purge_grants WHERE case_key = OLD.case_key)
BEGIN SELECT RAISE(ABORT, 'the log of a case is append-only'); END;

-- INSERT OR REPLACE deletes without a delete trigger.
CREATE TRIGGER events_no_replace BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE case_key = NEW.case_key AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the log of a case is append-only'); END;

CREATE TRIGGER evidence_no_update BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence is immutable'); END;

CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence
WHEN NOT EXISTS (SELECT 1 FROM purge_grants WHERE case_key = OLD.case_key)
BEGIN SELECT RAISE(ABORT, 'evidence is immutable'); END;

CREATE TRIGGER evidence_no_replace BEFORE INSERT ON evidence
WHEN EXISTS (SELECT 1 FROM evidence WHERE case_key = NEW.case_key AND n = NEW.n)
BEGIN SELECT RAISE(ABORT, 'evidence is immutable'); END;

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
