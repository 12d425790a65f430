-- What was proposed is kept, whatever writes. INSERT OR REPLACE and UPDATE OR REPLACE take a row away without a
-- delete trigger (unless the connection asks for recursive ones), so that a proposal nobody reviewed could come
-- back as a row of the same number without its provenance, enabled.

CREATE TRIGGER tasks_no_replace BEFORE INSERT ON tasks
WHEN EXISTS (SELECT 1 FROM tasks WHERE id = NEW.id OR proposal = NEW.proposal)
BEGIN SELECT RAISE(ABORT, 'a task is never replaced: make a new one'); END;
CREATE TRIGGER tasks_number_stays BEFORE UPDATE OF id, proposal ON tasks
WHEN NEW.id <> OLD.id OR NEW.proposal IS NOT OLD.proposal
BEGIN SELECT RAISE(ABORT, 'a task keeps its number'); END;
CREATE TRIGGER tasks_no_delete BEFORE DELETE ON tasks
BEGIN SELECT RAISE(ABORT, 'tasks are kept: who proposed and who approved them is kept for ever'); END;

CREATE TRIGGER checks_no_replace BEFORE INSERT ON checks
WHEN EXISTS (SELECT 1 FROM checks WHERE id = NEW.id OR proposal = NEW.proposal)
BEGIN SELECT RAISE(ABORT, 'a check is never replaced: make a new one'); END;
CREATE TRIGGER checks_number_stays BEFORE UPDATE OF id, proposal ON checks
WHEN NEW.id <> OLD.id OR NEW.proposal IS NOT OLD.proposal
BEGIN SELECT RAISE(ABORT, 'a check keeps its number'); END;
CREATE TRIGGER checks_no_delete BEFORE DELETE ON checks
BEGIN SELECT RAISE(ABORT, 'checks are kept: who proposed and who approved them is kept for ever'); END;

CREATE TRIGGER policies_no_replace BEFORE INSERT ON policies
WHEN EXISTS (SELECT 1 FROM policies WHERE id = NEW.id OR proposal = NEW.proposal OR name = NEW.name)
BEGIN SELECT RAISE(ABORT, 'a policy is never replaced, and its name is its own: make a new one'); END;
CREATE TRIGGER policies_number_stays BEFORE UPDATE OF id, proposal ON policies
WHEN NEW.id <> OLD.id OR NEW.proposal IS NOT OLD.proposal
BEGIN SELECT RAISE(ABORT, 'a policy keeps its number'); END;
CREATE TRIGGER policies_name_taken BEFORE UPDATE OF name ON policies
WHEN EXISTS (SELECT 1 FROM policies WHERE name = NEW.name AND id <> NEW.id)
BEGIN SELECT RAISE(ABORT, 'a policy of this name exists'); END;
CREATE TRIGGER policies_no_delete BEFORE DELETE ON policies
BEGIN SELECT RAISE(ABORT, 'policies are kept: who proposed and who approved them is kept for ever'); END;

CREATE TRIGGER jobs_no_replace BEFORE INSERT ON jobs
WHEN EXISTS (SELECT 1 FROM jobs WHERE id = NEW.id OR proposal = NEW.proposal)
BEGIN SELECT RAISE(ABORT, 'a proposed job is never edited: make a new proposal'); END;
CREATE TRIGGER jobs_number_stays BEFORE UPDATE OF id ON jobs WHEN NEW.id <> OLD.id
BEGIN SELECT RAISE(ABORT, 'a job keeps its number'); END;

CREATE TRIGGER operations_no_replace BEFORE INSERT ON device_operations
WHEN EXISTS (SELECT 1 FROM device_operations WHERE id = NEW.id OR proposal = NEW.proposal)
BEGIN SELECT RAISE(ABORT, 'an operation is never edited: make a new proposal'); END;
CREATE TRIGGER operations_number_stays BEFORE UPDATE OF id ON device_operations WHEN NEW.id <> OLD.id
BEGIN SELECT RAISE(ABORT, 'an operation keeps its number'); END;

-- A proposed row is released by a decision in the ledger and by nothing else: the columns of its own table are not
-- enough.
CREATE TRIGGER tasks_reviewed BEFORE UPDATE OF enabled, approved_by ON tasks
WHEN NEW.proposed_by <> '' AND (NEW.enabled = 1 OR NEW.approved_by <> OLD.approved_by)
     AND NOT EXISTS (SELECT 1 FROM fleet_proposals WHERE kind = 'task' AND subject = NEW.id AND status = 'approved')
BEGIN SELECT RAISE(ABORT, 'nobody has reviewed it: a person decides on its proposal first'); END;
CREATE TRIGGER checks_reviewed BEFORE UPDATE OF enabled, approved_by ON checks
WHEN NEW.proposed_by <> '' AND (NEW.enabled = 1 OR NEW.approved_by <> OLD.approved_by)
     AND NOT EXISTS (SELECT 1 FROM fleet_proposals WHERE kind = 'check' AND subject = NEW.id AND status = 'approved')
BEGIN SELECT RAISE(ABORT, 'nobody has reviewed it: a person decides on its proposal first'); END;
CREATE TRIGGER policies_reviewed BEFORE UPDATE OF enabled, approved_by ON policies
WHEN NEW.proposed_by <> '' AND (NEW.enabled = 1 OR NEW.approved_by <> OLD.approved_by)
     AND NOT EXISTS (SELECT 1 FROM fleet_proposals WHERE kind = 'policy' AND subject = NEW.id AND status = 'approved')
BEGIN SELECT RAISE(ABORT, 'nobody has reviewed it: a person decides on its proposal first'); END;
CREATE TRIGGER jobs_decided BEFORE UPDATE OF approved_by ON jobs
WHEN NEW.approved_by <> OLD.approved_by AND NEW.proposal IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM fleet_proposals WHERE n = NEW.proposal AND kind = 'job' AND status = 'approved')
BEGIN SELECT RAISE(ABORT, 'nobody has released it: a person decides on its proposal first'); END;
CREATE TRIGGER device_operations_decided BEFORE UPDATE OF approved_by ON device_operations
WHEN NEW.approved_by <> OLD.approved_by AND NEW.proposal IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM fleet_proposals WHERE n = NEW.proposal AND kind = 'operation' AND status = 'approved')
BEGIN SELECT RAISE(ABORT, 'nobody has released it: a person decides on its proposal first'); END;
