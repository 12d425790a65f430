-- Software: a title (name, publisher, source), its versions, and which device has which. Three million rows on
-- a large fleet, so that counts are kept per client and never made by reading them all.

CREATE TABLE software_titles (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    name      TEXT    NOT NULL COLLATE NOCASE CHECK (name <> ''),
    publisher TEXT    NOT NULL DEFAULT '' COLLATE NOCASE,
    source    TEXT    NOT NULL CHECK (source IN ('dpkg', 'rpm', 'apk', 'pacman', 'winget', 'msi', 'brew', 'app', 'other')),
    UNIQUE (name, publisher, source)
) STRICT;

CREATE TABLE software_versions (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    title_id INTEGER NOT NULL REFERENCES software_titles (id),
    version  TEXT    NOT NULL,
    UNIQUE (title_id, version),
    UNIQUE (id, title_id)
) STRICT;

CREATE TABLE device_software (
    device_id  INTEGER NOT NULL REFERENCES devices (id),
    title_id   INTEGER NOT NULL,
    version_id INTEGER NOT NULL,
    first_ms   INTEGER NOT NULL,
    PRIMARY KEY (device_id, title_id, version_id),
    FOREIGN KEY (version_id, title_id) REFERENCES software_versions (id, title_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX device_software_by_version ON device_software (version_id, device_id);

-- Installations of one version at one client. Finer places are counted from the rows: a site has thousands of
-- them, not millions, and counts per site would be almost as many as the rows.
CREATE TABLE software_counts (
    title_id   INTEGER NOT NULL,
    version_id INTEGER NOT NULL,
    client_id  INTEGER NOT NULL,
    installs   INTEGER NOT NULL CHECK (installs >= 0),
    PRIMARY KEY (title_id, version_id, client_id)
) STRICT, WITHOUT ROWID;

-- Devices with at least one version of a title: less than the sum over its versions.
CREATE TABLE title_counts (
    title_id  INTEGER NOT NULL,
    client_id INTEGER NOT NULL,
    devices   INTEGER NOT NULL CHECK (devices >= 0),
    installs  INTEGER NOT NULL CHECK (installs >= 0),
    PRIMARY KEY (title_id, client_id)
) STRICT, WITHOUT ROWID;

-- A bulk load puts a row here, inserts, builds the counts anew and takes the row away, in one transaction: the
-- triggers below stand still meanwhile.
CREATE TABLE bulk_loads (
    id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

CREATE TRIGGER device_software_alive BEFORE INSERT ON device_software
WHEN (SELECT deleted_ms FROM devices WHERE id = NEW.device_id) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a deleted device has no inventory'); END;

CREATE TRIGGER device_software_fixed BEFORE UPDATE OF device_id, title_id, version_id ON device_software
BEGIN SELECT RAISE(ABORT, 'an installation is removed and added, not changed'); END;

-- INSERT OR REPLACE deletes without a delete trigger, and the counts would drift.
CREATE TRIGGER device_software_no_replace BEFORE INSERT ON device_software
WHEN EXISTS (SELECT 1 FROM device_software
             WHERE device_id = NEW.device_id AND title_id = NEW.title_id AND version_id = NEW.version_id)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER device_software_added AFTER INSERT ON device_software
WHEN NOT EXISTS (SELECT 1 FROM bulk_loads)
BEGIN
    INSERT INTO software_counts (title_id, version_id, client_id, installs)
    SELECT NEW.title_id, NEW.version_id, client_id, 1 FROM devices WHERE id = NEW.device_id
    ON CONFLICT DO UPDATE SET installs = installs + 1;
    INSERT INTO title_counts (title_id, client_id, devices, installs)
    SELECT NEW.title_id, client_id,
           (SELECT count(*) = 1 FROM device_software WHERE device_id = NEW.device_id AND title_id = NEW.title_id), 1
    FROM devices WHERE id = NEW.device_id
    ON CONFLICT DO UPDATE SET devices = devices + excluded.devices, installs = installs + 1;
END;

CREATE TRIGGER device_software_removed AFTER DELETE ON device_software
WHEN NOT EXISTS (SELECT 1 FROM bulk_loads)
BEGIN
    UPDATE software_counts SET installs = installs - 1
    WHERE title_id = OLD.title_id AND version_id = OLD.version_id
      AND client_id = (SELECT client_id FROM devices WHERE id = OLD.device_id);
    UPDATE title_counts
    SET installs = installs - 1,
        devices = devices - (NOT EXISTS (SELECT 1 FROM device_software WHERE device_id = OLD.device_id AND title_id = OLD.title_id))
    WHERE title_id = OLD.title_id
      AND client_id = (SELECT client_id FROM devices WHERE id = OLD.device_id);
END;

CREATE TRIGGER devices_moved AFTER UPDATE OF client_id ON devices
WHEN NEW.client_id <> OLD.client_id
BEGIN
    UPDATE software_counts SET installs = installs - 1
    WHERE client_id = OLD.client_id
      AND (title_id, version_id) IN (SELECT title_id, version_id FROM device_software WHERE device_id = NEW.id);
    INSERT INTO software_counts (title_id, version_id, client_id, installs)
    SELECT title_id, version_id, NEW.client_id, 1 FROM device_software WHERE device_id = NEW.id
    ON CONFLICT DO UPDATE SET installs = installs + 1;
    UPDATE title_counts
    SET devices = devices - 1,
        installs = installs - (SELECT count(*) FROM device_software s WHERE s.device_id = NEW.id AND s.title_id = title_counts.title_id)
    WHERE client_id = OLD.client_id
      AND title_id IN (SELECT title_id FROM device_software WHERE device_id = NEW.id);
    INSERT INTO title_counts (title_id, client_id, devices, installs)
    SELECT title_id, NEW.client_id, 1, count(*)
    FROM device_software WHERE device_id = NEW.id GROUP BY title_id
    ON CONFLICT DO UPDATE SET devices = devices + 1, installs = installs + excluded.installs;
END;

-- Patches. What a patch is for one device, and who let it in.
CREATE TABLE patches (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    identifier     TEXT    NOT NULL UNIQUE CHECK (identifier <> ''), -- KB number, advisory, or package=version
    title          TEXT    NOT NULL DEFAULT '',
    classification TEXT    NOT NULL DEFAULT 'other' CHECK (classification IN ('security', 'critical', 'feature', 'driver', 'other')),
    severity       TEXT    NOT NULL DEFAULT 'unknown' CHECK (severity IN ('critical', 'important', 'moderate', 'low', 'unknown')),
    cves           TEXT    NOT NULL DEFAULT '[]' CHECK (json_type(cves) = 'array')
) STRICT;

CREATE TABLE device_patches (
    device_id   INTEGER NOT NULL REFERENCES devices (id),
    patch_id    INTEGER NOT NULL REFERENCES patches (id),
    state       TEXT    NOT NULL DEFAULT 'missing'
                CHECK (state IN ('missing', 'approved', 'ignored', 'installing', 'installed', 'failed')),
    approved_by TEXT    NOT NULL DEFAULT '',
    approved_ms INTEGER,
    first_ms    INTEGER NOT NULL,
    changed_ms  INTEGER NOT NULL,
    result      TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (device_id, patch_id),
    -- Whatever path writes it: nothing is installed that nobody approved.
    CHECK (state NOT IN ('approved', 'installing', 'installed', 'failed') OR approved_by <> '')
) STRICT, WITHOUT ROWID;
CREATE INDEX device_patches_by_patch ON device_patches (patch_id, state);
CREATE INDEX device_patches_by_state ON device_patches (state, device_id);
