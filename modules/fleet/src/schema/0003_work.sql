-- Proposals of the fleet and what became of them. Nothing in these tables does anything by itself.

CREATE TABLE scripts (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT    NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
    shell      TEXT    NOT NULL CHECK (shell IN ('sh', 'bash', 'python', 'powershell', 'cmd')),
    body       TEXT    NOT NULL,
    sha256     TEXT    NOT NULL CHECK (length(sha256) = 64),
    created_by TEXT    NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE jobs (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    proposal     INTEGER UNIQUE,                     -- its number among all proposals of the file
    batch        TEXT    NOT NULL DEFAULT '',        -- jobs of one bulk deployment share it
    backend      TEXT    NOT NULL DEFAULT 'embedded' CHECK (backend <> ''),
    client_id    INTEGER REFERENCES clients (id),    -- a job never spans clients
    kind         TEXT    NOT NULL DEFAULT 'script' CHECK (kind IN ('script', 'install_patches', 'inventory')),
    title        TEXT    NOT NULL CHECK (title <> ''),
    shell        TEXT    NOT NULL CHECK (shell IN ('sh', 'bash', 'python', 'powershell', 'cmd', 'none')),
    body         TEXT    NOT NULL,
    params       TEXT    NOT NULL DEFAULT '{}' CHECK (json_type(params) = 'object'),
    effect       TEXT    NOT NULL DEFAULT '',        -- what the proposer expects
    timeout_s    INTEGER NOT NULL DEFAULT 300 CHECK (timeout_s BETWEEN 1 AND 86400),
    canary       INTEGER NOT NULL DEFAULT 0 CHECK (canary >= 0), -- run on this many first; 0: all at once
    target_count INTEGER NOT NULL CHECK (target_count BETWEEN 1 AND 500),
    digest       TEXT    NOT NULL CHECK (length(digest) = 64), -- SHA-256 over body, parameters, targets, backend
    status       TEXT    NOT NULL DEFAULT 'awaiting_approval'
                 CHECK (status IN ('awaiting_approval', 'approved', 'dispatched', 'running', 'succeeded', 'failed',
                                   'timed_out', 'cancelled', 'lost', 'rejected', 'expired')),
    proposed_by  TEXT    NOT NULL CHECK (proposed_by <> ''),
    proposer     TEXT    NOT NULL CHECK (proposer IN ('human', 'ai', 'system')),
    case_id      TEXT,
    proposed_ms  INTEGER NOT NULL,
    expires_ms   INTEGER NOT NULL,
    approved_by  TEXT    NOT NULL DEFAULT '',
    approved_ms  INTEGER,
    canary_by    TEXT    NOT NULL DEFAULT '',        -- who released the rest after the canary
    canary_ms    INTEGER,
    decided_by   TEXT    NOT NULL DEFAULT '',        -- who rejected it
    reason       TEXT    NOT NULL DEFAULT '',
    cancel_by    TEXT    NOT NULL DEFAULT '',        -- who asked for it to stop
    started_ms   INTEGER,
    finished_ms  INTEGER,
    CHECK (status IN ('awaiting_approval', 'rejected', 'expired') OR (approved_by <> '' AND approved_ms IS NOT NULL)),
    CHECK (canary_by = '' OR approved_by <> '')
) STRICT;
CREATE INDEX jobs_by_status ON jobs (status, id);
CREATE INDEX jobs_by_case ON jobs (case_id) WHERE case_id IS NOT NULL;

CREATE TABLE job_targets (
    job_id      INTEGER NOT NULL REFERENCES jobs (id),
    device_id   INTEGER NOT NULL REFERENCES devices (id),
    stage       INTEGER NOT NULL DEFAULT 1 CHECK (stage IN (1, 2)), -- 2: waits for the canary
    status      TEXT    NOT NULL DEFAULT 'pending'
                CHECK (status IN ('pending', 'queued', 'running', 'succeeded', 'failed', 'timed_out', 'cancelled', 'lost', 'skipped')),
    state_hash  TEXT    NOT NULL DEFAULT '',         -- of the device when it was proposed: a drifted target fails closed
    exit_code   INTEGER,
    stdout      TEXT    NOT NULL DEFAULT '',
    stderr      TEXT    NOT NULL DEFAULT '',
    truncated   INTEGER NOT NULL DEFAULT 0 CHECK (truncated IN (0, 1)),
    error       TEXT    NOT NULL DEFAULT '',
    backend_ref TEXT    NOT NULL DEFAULT '',
    nonce       TEXT    NOT NULL DEFAULT '',
    queued_ms   INTEGER,
    started_ms  INTEGER,
    finished_ms INTEGER,
    PRIMARY KEY (job_id, device_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_targets_by_device ON job_targets (device_id, status);

-- Exactly what was proposed is what runs.
CREATE TRIGGER jobs_fixed BEFORE UPDATE OF backend, client_id, kind, shell, body, params, timeout_s, canary, target_count,
    digest, proposed_by, proposer, case_id, proposed_ms, expires_ms, batch, proposal ON jobs
BEGIN SELECT RAISE(ABORT, 'a proposed job is never edited: make a new proposal'); END;

CREATE TRIGGER jobs_begin BEFORE INSERT ON jobs
WHEN NEW.status <> 'awaiting_approval' OR NEW.approved_by <> ''
BEGIN SELECT RAISE(ABORT, 'a job begins as a proposal'); END;

CREATE TRIGGER jobs_order BEFORE UPDATE OF status ON jobs
WHEN NEW.status <> OLD.status AND NOT (
       (OLD.status = 'awaiting_approval' AND NEW.status IN ('approved', 'rejected', 'expired'))
    OR (OLD.status = 'approved' AND NEW.status IN ('dispatched', 'running', 'failed', 'timed_out', 'cancelled', 'lost'))
    OR (OLD.status = 'dispatched' AND NEW.status IN ('running', 'succeeded', 'failed', 'timed_out', 'cancelled', 'lost'))
    OR (OLD.status = 'running' AND NEW.status IN ('succeeded', 'failed', 'timed_out', 'cancelled', 'lost')))
BEGIN SELECT RAISE(ABORT, 'a job cannot go this way'); END;

CREATE TRIGGER jobs_approval_stays BEFORE UPDATE OF approved_by, approved_ms ON jobs
WHEN OLD.approved_by <> '' AND (NEW.approved_by <> OLD.approved_by OR NEW.approved_ms IS NOT OLD.approved_ms)
BEGIN SELECT RAISE(ABORT, 'an approval is given once'); END;

CREATE TRIGGER jobs_no_delete BEFORE DELETE ON jobs
BEGIN SELECT RAISE(ABORT, 'jobs are kept'); END;

CREATE TRIGGER job_targets_open BEFORE INSERT ON job_targets
WHEN (SELECT status FROM jobs WHERE id = NEW.job_id) <> 'awaiting_approval' OR NEW.status <> 'pending'
BEGIN SELECT RAISE(ABORT, 'the targets of a job are fixed when it is proposed'); END;

CREATE TRIGGER job_targets_fixed BEFORE UPDATE OF job_id, device_id, stage, state_hash ON job_targets
BEGIN SELECT RAISE(ABORT, 'the targets of a job are fixed when it is proposed'); END;

CREATE TRIGGER job_targets_stay BEFORE DELETE ON job_targets
BEGIN SELECT RAISE(ABORT, 'the targets of a job are fixed when it is proposed'); END;

-- A target leaves `pending` only on an approved job, and behind a canary only once the rest is released.
CREATE TRIGGER job_targets_approved BEFORE UPDATE OF status ON job_targets
WHEN NEW.status IN ('queued', 'running', 'succeeded', 'failed', 'timed_out', 'lost') AND (
       (SELECT approved_by FROM jobs WHERE id = NEW.job_id) = ''
    OR (NEW.stage = 2 AND (SELECT canary_by FROM jobs WHERE id = NEW.job_id) = ''))
BEGIN SELECT RAISE(ABORT, 'nothing runs before a person approved it'); END;

-- Monitoring: rows that do nothing until a person enables them, whatever path writes them.
CREATE TABLE tasks (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    proposal    INTEGER UNIQUE,
    name        TEXT    NOT NULL CHECK (name <> ''),
    client_id   INTEGER REFERENCES clients (id),
    site_id     INTEGER REFERENCES sites (id),
    device_id   INTEGER REFERENCES devices (id),
    schedule    TEXT    NOT NULL CHECK (schedule <> ''), -- cron, five fields, UTC
    shell       TEXT    NOT NULL CHECK (shell IN ('sh', 'bash', 'python', 'powershell', 'cmd')),
    body        TEXT    NOT NULL,
    timeout_s   INTEGER NOT NULL DEFAULT 300 CHECK (timeout_s BETWEEN 1 AND 86400),
    enabled     INTEGER NOT NULL DEFAULT 0 CHECK (enabled IN (0, 1)),
    proposed_by TEXT    NOT NULL DEFAULT '',
    case_id     TEXT,
    approved_by TEXT    NOT NULL DEFAULT '',
    approved_ms INTEGER,
    rejected_by TEXT    NOT NULL DEFAULT '',
    created_by  TEXT    NOT NULL,
    created_ms  INTEGER NOT NULL,
    last_run_ms INTEGER,
    next_run_ms INTEGER,
    last_status TEXT    NOT NULL DEFAULT '',
    CHECK (enabled = 0 OR proposed_by = '' OR approved_by <> ''),
    CHECK (enabled = 0 OR rejected_by = ''),
    CHECK ((client_id IS NOT NULL) + (site_id IS NOT NULL) + (device_id IS NOT NULL) = 1)
) STRICT;
CREATE INDEX tasks_due ON tasks (next_run_ms) WHERE enabled = 1;

CREATE TABLE checks (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    proposal      INTEGER UNIQUE,
    name          TEXT    NOT NULL CHECK (name <> ''),
    client_id     INTEGER REFERENCES clients (id),
    site_id       INTEGER REFERENCES sites (id),
    device_id     INTEGER REFERENCES devices (id),
    kind          TEXT    NOT NULL CHECK (kind IN ('disk', 'ping', 'cpu', 'memory', 'service', 'script')),
    settings      TEXT    NOT NULL DEFAULT '{}' CHECK (json_type(settings) = 'object'),
    warning       REAL,                              -- percent, milliseconds or exit code, by kind
    error         REAL,
    fails_before_alert INTEGER NOT NULL DEFAULT 1 CHECK (fails_before_alert BETWEEN 1 AND 100),
    every_s       INTEGER NOT NULL DEFAULT 300 CHECK (every_s BETWEEN 30 AND 604800),
    enabled       INTEGER NOT NULL DEFAULT 0 CHECK (enabled IN (0, 1)),
    proposed_by   TEXT    NOT NULL DEFAULT '',
    case_id       TEXT,
    approved_by   TEXT    NOT NULL DEFAULT '',
    approved_ms   INTEGER,
    rejected_by   TEXT    NOT NULL DEFAULT '',
    created_by    TEXT    NOT NULL,
    created_ms    INTEGER NOT NULL,
    next_run_ms   INTEGER,
    CHECK (enabled = 0 OR proposed_by = '' OR approved_by <> ''),
    CHECK (enabled = 0 OR rejected_by = ''),
    CHECK ((client_id IS NOT NULL) + (site_id IS NOT NULL) + (device_id IS NOT NULL) = 1)
) STRICT;
CREATE INDEX checks_due ON checks (next_run_ms) WHERE enabled = 1;

CREATE TABLE check_results (
    check_id  INTEGER NOT NULL REFERENCES checks (id),
    device_id INTEGER NOT NULL REFERENCES devices (id),
    at_ms     INTEGER NOT NULL,
    status    TEXT    NOT NULL CHECK (status IN ('passing', 'warning', 'failing', 'unknown')),
    value     REAL,
    fails     INTEGER NOT NULL DEFAULT 0,            -- in a row, this one included
    message   TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (check_id, device_id, at_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX check_results_by_device ON check_results (device_id, at_ms);

CREATE TABLE policies (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    proposal    INTEGER UNIQUE,
    name        TEXT    NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
    settings    TEXT    NOT NULL DEFAULT '{}' CHECK (json_type(settings) = 'object'),
    client_id   INTEGER REFERENCES clients (id),     -- all three NULL: the whole fleet
    site_id     INTEGER REFERENCES sites (id),
    device_id   INTEGER REFERENCES devices (id),
    enabled     INTEGER NOT NULL DEFAULT 0 CHECK (enabled IN (0, 1)),
    proposed_by TEXT    NOT NULL DEFAULT '',
    case_id     TEXT,
    approved_by TEXT    NOT NULL DEFAULT '',
    approved_ms INTEGER,
    rejected_by TEXT    NOT NULL DEFAULT '',
    created_by  TEXT    NOT NULL,
    created_ms  INTEGER NOT NULL,
    CHECK (enabled = 0 OR proposed_by = '' OR approved_by <> ''),
    CHECK (enabled = 0 OR rejected_by = ''),
    CHECK ((client_id IS NOT NULL) + (site_id IS NOT NULL) + (device_id IS NOT NULL) <= 1)
) STRICT;

-- Who proposed it is kept for ever, and an approval is of what was proposed.
CREATE TRIGGER tasks_provenance BEFORE UPDATE OF proposed_by ON tasks WHEN NEW.proposed_by <> OLD.proposed_by
BEGIN SELECT RAISE(ABORT, 'who proposed a row is kept for ever'); END;
CREATE TRIGGER checks_provenance BEFORE UPDATE OF proposed_by ON checks WHEN NEW.proposed_by <> OLD.proposed_by
BEGIN SELECT RAISE(ABORT, 'who proposed a row is kept for ever'); END;
CREATE TRIGGER policies_provenance BEFORE UPDATE OF proposed_by ON policies WHEN NEW.proposed_by <> OLD.proposed_by
BEGIN SELECT RAISE(ABORT, 'who proposed a row is kept for ever'); END;
CREATE TRIGGER tasks_fixed BEFORE UPDATE OF schedule, shell, body, timeout_s, client_id, site_id, device_id ON tasks
WHEN OLD.proposed_by <> ''
BEGIN SELECT RAISE(ABORT, 'a proposed task is never edited: make a new proposal'); END;
CREATE TRIGGER checks_fixed BEFORE UPDATE OF kind, settings, warning, error, client_id, site_id, device_id ON checks
WHEN OLD.proposed_by <> ''
BEGIN SELECT RAISE(ABORT, 'a proposed check is never edited: make a new proposal'); END;
CREATE TRIGGER policies_fixed BEFORE UPDATE OF settings, client_id, site_id, device_id ON policies
WHEN OLD.proposed_by <> ''
BEGIN SELECT RAISE(ABORT, 'a proposed policy is never edited: make a new proposal'); END;

-- Moves and deletions: changes that the program makes, not an endpoint.
CREATE TABLE device_operations (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    proposal           INTEGER UNIQUE,
    backend            TEXT    NOT NULL DEFAULT 'embedded' CHECK (backend <> ''),
    kind               TEXT    NOT NULL CHECK (kind IN ('move', 'delete')),
    dest_site_id       INTEGER REFERENCES sites (id),
    dest_department_id INTEGER REFERENCES departments (id),
    device_count       INTEGER NOT NULL CHECK (device_count BETWEEN 1 AND 500),
    digest             TEXT    NOT NULL CHECK (length(digest) = 64),
    status             TEXT    NOT NULL DEFAULT 'awaiting_approval'
                       CHECK (status IN ('awaiting_approval', 'approved', 'running', 'succeeded', 'failed', 'lost', 'rejected', 'expired')),
    reason             TEXT    NOT NULL DEFAULT '',
    proposed_by        TEXT    NOT NULL CHECK (proposed_by <> ''),
    proposer           TEXT    NOT NULL CHECK (proposer IN ('human', 'ai', 'system')),
    case_id            TEXT,
    proposed_ms        INTEGER NOT NULL,
    expires_ms         INTEGER NOT NULL,
    approved_by        TEXT    NOT NULL DEFAULT '',
    approved_ms        INTEGER,
    typed_count        INTEGER,                      -- the number of devices, typed by the approver
    decided_by         TEXT    NOT NULL DEFAULT '',
    finished_ms        INTEGER,
    CHECK (status IN ('awaiting_approval', 'rejected', 'expired') OR (approved_by <> '' AND approved_ms IS NOT NULL)),
    CHECK (kind <> 'delete' OR status IN ('awaiting_approval', 'rejected', 'expired')
           OR (typed_count IS NOT NULL AND typed_count = device_count)),
    CHECK ((kind = 'move') = (dest_site_id IS NOT NULL)),
    FOREIGN KEY (dest_department_id, dest_site_id) REFERENCES departments (id, site_id)
) STRICT;
CREATE INDEX device_operations_by_status ON device_operations (status, id);

CREATE TABLE device_operation_targets (
    operation_id INTEGER NOT NULL REFERENCES device_operations (id),
    device_id    INTEGER NOT NULL REFERENCES devices (id),
    state_hash   TEXT    NOT NULL DEFAULT '',
    status       TEXT    NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed', 'skipped')),
    error        TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (operation_id, device_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER operations_fixed BEFORE UPDATE OF backend, kind, dest_site_id, dest_department_id, device_count, digest,
    proposed_by, proposer, case_id, proposed_ms, expires_ms, proposal ON device_operations
BEGIN SELECT RAISE(ABORT, 'a proposed operation is never edited: make a new proposal'); END;

CREATE TRIGGER operations_begin BEFORE INSERT ON device_operations
WHEN NEW.status <> 'awaiting_approval' OR NEW.approved_by <> ''
BEGIN SELECT RAISE(ABORT, 'an operation begins as a proposal'); END;

CREATE TRIGGER operations_order BEFORE UPDATE OF status ON device_operations
WHEN NEW.status <> OLD.status AND NOT (
       (OLD.status = 'awaiting_approval' AND NEW.status IN ('approved', 'rejected', 'expired'))
    OR (OLD.status = 'approved' AND NEW.status IN ('running', 'succeeded', 'failed', 'lost'))
    OR (OLD.status = 'running' AND NEW.status IN ('succeeded', 'failed', 'lost')))
BEGIN SELECT RAISE(ABORT, 'an operation cannot go this way'); END;

CREATE TRIGGER operations_approval_stays BEFORE UPDATE OF approved_by, approved_ms, typed_count ON device_operations
WHEN OLD.approved_by <> ''
     AND (NEW.approved_by <> OLD.approved_by OR NEW.approved_ms IS NOT OLD.approved_ms OR NEW.typed_count IS NOT OLD.typed_count)
BEGIN SELECT RAISE(ABORT, 'an approval is given once'); END;

CREATE TRIGGER operations_no_delete BEFORE DELETE ON device_operations
BEGIN SELECT RAISE(ABORT, 'operations are kept'); END;

CREATE TRIGGER operation_targets_open BEFORE INSERT ON device_operation_targets
WHEN (SELECT status FROM device_operations WHERE id = NEW.operation_id) <> 'awaiting_approval' OR NEW.status <> 'pending'
BEGIN SELECT RAISE(ABORT, 'the devices of an operation are fixed when it is proposed'); END;

CREATE TRIGGER operation_targets_fixed BEFORE UPDATE OF operation_id, device_id, state_hash ON device_operation_targets
BEGIN SELECT RAISE(ABORT, 'the devices of an operation are fixed when it is proposed'); END;

CREATE TRIGGER operation_targets_stay BEFORE DELETE ON device_operation_targets
BEGIN SELECT RAISE(ABORT, 'the devices of an operation are fixed when it is proposed'); END;

CREATE TRIGGER operation_targets_approved BEFORE UPDATE OF status ON device_operation_targets
WHEN NEW.status IN ('succeeded', 'failed')
     AND (SELECT approved_by FROM device_operations WHERE id = NEW.operation_id) = ''
BEGIN SELECT RAISE(ABORT, 'nothing changes before a person approved it'); END;
