-- Who may do what and where; the audit trail; exports.

CREATE TABLE principals (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT    NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
    kind        TEXT    NOT NULL CHECK (kind IN ('person', 'connector')),
    scope_all   INTEGER NOT NULL DEFAULT 0 CHECK (scope_all IN (0, 1)), -- 0: only the places in principal_places
    first_owner INTEGER NOT NULL DEFAULT 0 CHECK (first_owner IN (0, 1)),
    disabled    INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_by  TEXT    NOT NULL,
    created_ms  INTEGER NOT NULL,
    CHECK (first_owner = 0 OR (disabled = 0 AND kind = 'person'))
) STRICT;
CREATE UNIQUE INDEX principals_first_owner ON principals (first_owner) WHERE first_owner = 1;

CREATE TABLE principal_permissions (
    principal_id INTEGER NOT NULL REFERENCES principals (id),
    permission   TEXT    NOT NULL CHECK (permission <> ''),
    PRIMARY KEY (principal_id, permission)
) STRICT, WITHOUT ROWID;

CREATE TABLE principal_places (
    principal_id  INTEGER NOT NULL REFERENCES principals (id),
    client_id     INTEGER REFERENCES clients (id),
    site_id       INTEGER REFERENCES sites (id),
    department_id INTEGER REFERENCES departments (id),
    CHECK ((client_id IS NOT NULL) + (site_id IS NOT NULL) + (department_id IS NOT NULL) = 1),
    UNIQUE (principal_id, client_id),
    UNIQUE (principal_id, site_id),
    UNIQUE (principal_id, department_id)
) STRICT;

-- Which users of the operating system may act as a principal.
CREATE TABLE principal_users (
    principal_id INTEGER NOT NULL REFERENCES principals (id),
    os_user      TEXT    NOT NULL CHECK (os_user <> ''),
    PRIMARY KEY (principal_id, os_user)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER principals_owner_stays BEFORE UPDATE OF first_owner ON principals WHEN NEW.first_owner <> OLD.first_owner
BEGIN SELECT RAISE(ABORT, 'the first owner stays the first owner'); END;
CREATE TRIGGER principals_no_delete BEFORE DELETE ON principals
BEGIN SELECT RAISE(ABORT, 'a principal is disabled, not deleted: cases and audit name it'); END;

-- The trail of every act, refusal and approval. (`audit` is the trail of whole cases and of the file.)
CREATE TABLE fleet_audit (
    seq        INTEGER PRIMARY KEY CHECK (seq > 0),
    at_ms      INTEGER NOT NULL,
    actor      TEXT    NOT NULL CHECK (actor <> ''),
    actor_kind TEXT    NOT NULL CHECK (actor_kind IN ('human', 'ai', 'system')),
    family     TEXT    NOT NULL CHECK (family <> ''),
    verb       TEXT    NOT NULL CHECK (verb <> ''),
    result     TEXT    NOT NULL CHECK (result IN ('ok', 'refused', 'failed')),
    target     TEXT    NOT NULL DEFAULT '',          -- d-12, j-7, a principal's name
    client_id  INTEGER,
    case_id    TEXT,
    details    TEXT    NOT NULL DEFAULT '',          -- redacted; exactly these bytes are hashed
    key_id     TEXT,                                 -- NULL: SHA-256; else HMAC-SHA-256 with the key of this name
    hash       BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;
-- Covers the partial days at the ends of a summary.
CREATE INDEX fleet_audit_by_time ON fleet_audit (at_ms, actor, actor_kind, family, result);
-- Each ends with the row's number by itself, so that the newest rows of one actor, family or target are read in order.
CREATE INDEX fleet_audit_by_actor ON fleet_audit (actor);
CREATE INDEX fleet_audit_by_family ON fleet_audit (family);
CREATE INDEX fleet_audit_by_target ON fleet_audit (target) WHERE target <> '';

-- How long the chain is and where it ends, so that a cut tail shows.
CREATE TABLE fleet_audit_head (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    entries INTEGER NOT NULL,
    hash    BLOB    NOT NULL CHECK (length(hash) = 32),
    key_id  TEXT,
    mac     BLOB    NOT NULL CHECK (length(mac) = 32)
) STRICT;

-- Whole days (UTC), so that a summary reads a few thousand rows instead of millions. Derived: `audit verify`
-- compares it, `rebuild_days` makes it anew.
CREATE TABLE fleet_audit_days (
    day        INTEGER NOT NULL,                     -- days since 1970
    actor      TEXT    NOT NULL,
    actor_kind TEXT    NOT NULL,
    family     TEXT    NOT NULL,
    result     TEXT    NOT NULL,
    entries    INTEGER NOT NULL,
    PRIMARY KEY (day, actor, actor_kind, family, result)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER fleet_audit_no_update BEFORE UPDATE ON fleet_audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER fleet_audit_no_delete BEFORE DELETE ON fleet_audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
-- INSERT OR REPLACE deletes without a delete trigger.
CREATE TRIGGER fleet_audit_no_replace BEFORE INSERT ON fleet_audit
WHEN EXISTS (SELECT 1 FROM fleet_audit WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER fleet_audit_day AFTER INSERT ON fleet_audit
WHEN NOT EXISTS (SELECT 1 FROM bulk_loads)
BEGIN
    INSERT INTO fleet_audit_days (day, actor, actor_kind, family, result, entries)
    VALUES ((NEW.at_ms - ((NEW.at_ms % 86400000) + 86400000) % 86400000) / 86400000, NEW.actor, NEW.actor_kind, NEW.family, NEW.result, 1)
    ON CONFLICT DO UPDATE SET entries = entries + 1;
END;

-- A stored query that its principal may open once more, within minutes; no rows are kept here.
CREATE TABLE exports (
    token_hash TEXT    PRIMARY KEY CHECK (length(token_hash) = 64), -- SHA-256 of the token
    principal  TEXT    NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('inventory', 'audit')),
    query      TEXT    NOT NULL CHECK (json_type(query) = 'object'),
    case_id    TEXT,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    opened_ms  INTEGER
) STRICT, WITHOUT ROWID;

-- Where the copy of a backend stands.
CREATE TABLE sync_state (
    backend TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    cursor  TEXT    NOT NULL DEFAULT '',
    last_ms INTEGER,
    error   TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (backend, kind)
) STRICT, WITHOUT ROWID;
