-- What every proposal of the fleet has in common: its number, who made it and why, until when a person may
-- decide, and what was decided. What exactly would run stands in the table of its kind; `digest` binds the two.
CREATE TABLE fleet_proposals (
    n           INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('job', 'operation', 'task', 'check', 'policy', 'cancel')),
    subject     INTEGER NOT NULL,                    -- row in the table of the kind; of `cancel`: the job to stop
    tool        TEXT    NOT NULL,
    title       TEXT    NOT NULL CHECK (title <> ''),
    why         TEXT    NOT NULL DEFAULT '',
    findings    TEXT    NOT NULL DEFAULT '[]' CHECK (json_type(findings) = 'array'),
    devices     INTEGER NOT NULL CHECK (devices >= 0),
    count       INTEGER NOT NULL CHECK (count IN (0, 1)), -- the approver types the number of devices
    state       TEXT    NOT NULL DEFAULT '',         -- of what monitoring or a stop is aimed at, when proposed
    digest      TEXT    NOT NULL CHECK (length(digest) = 64),
    proposed_by TEXT    NOT NULL CHECK (proposed_by <> ''),
    proposer    TEXT    NOT NULL CHECK (proposer IN ('human', 'ai', 'system')),
    case_id     TEXT,
    proposed_ms INTEGER NOT NULL,
    expires_ms  INTEGER NOT NULL CHECK (expires_ms > proposed_ms),
    status      TEXT    NOT NULL DEFAULT 'awaiting_approval'
                CHECK (status IN ('awaiting_approval', 'approved', 'rejected', 'expired')),
    decided_by  TEXT    NOT NULL DEFAULT '',
    decided_ms  INTEGER,
    reason      TEXT    NOT NULL DEFAULT '',
    CHECK ((status = 'awaiting_approval') = (decided_ms IS NULL)),
    CHECK (status IN ('awaiting_approval', 'expired') OR decided_by <> '')
) STRICT;
CREATE INDEX fleet_proposals_open ON fleet_proposals (expires_ms) WHERE status = 'awaiting_approval';
CREATE INDEX fleet_proposals_by_subject ON fleet_proposals (kind, subject);
CREATE INDEX fleet_proposals_by_case ON fleet_proposals (case_id) WHERE case_id IS NOT NULL;

CREATE TRIGGER fleet_proposals_fixed BEFORE UPDATE OF n, kind, subject, tool, title, why, findings, devices, count,
    state, digest, proposed_by, proposer, case_id, proposed_ms, expires_ms ON fleet_proposals
BEGIN SELECT RAISE(ABORT, 'a proposal is never edited: make a new one'); END;

CREATE TRIGGER fleet_proposals_begin BEFORE INSERT ON fleet_proposals WHEN NEW.status <> 'awaiting_approval'
BEGIN SELECT RAISE(ABORT, 'a proposal begins undecided'); END;

CREATE TRIGGER fleet_proposals_no_replace BEFORE INSERT ON fleet_proposals
WHEN EXISTS (SELECT 1 FROM fleet_proposals WHERE n = NEW.n)
BEGIN SELECT RAISE(ABORT, 'a proposal is never edited: make a new one'); END;

CREATE TRIGGER fleet_proposals_once BEFORE UPDATE OF status, decided_by, decided_ms, reason ON fleet_proposals
WHEN OLD.status <> 'awaiting_approval'
BEGIN SELECT RAISE(ABORT, 'a proposal is decided once'); END;

CREATE TRIGGER fleet_proposals_no_delete BEFORE DELETE ON fleet_proposals
BEGIN SELECT RAISE(ABORT, 'proposals are kept'); END;
