-- Clients, sites, departments, devices and what is known of each device.
-- Ids are small numbers that are never used again: they are what a model sees (`d-12`).
-- All times are milliseconds since 1970 (UTC).

-- One sequence for every proposal of the file, shared with the pivots of cases.
CREATE TABLE IF NOT EXISTS proposal_numbers (
    n INTEGER PRIMARY KEY AUTOINCREMENT
) STRICT;

CREATE TABLE clients (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT    NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
    notes      TEXT    NOT NULL DEFAULT '',
    created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE sites (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id  INTEGER NOT NULL REFERENCES clients (id),
    name       TEXT    NOT NULL COLLATE NOCASE CHECK (name <> ''),
    created_ms INTEGER NOT NULL,
    UNIQUE (client_id, name),
    UNIQUE (id, client_id)
) STRICT;

-- A site never changes its client: what is counted for it would be counted for the wrong one.
CREATE TRIGGER sites_stay BEFORE UPDATE OF client_id ON sites WHEN NEW.client_id <> OLD.client_id
BEGIN SELECT RAISE(ABORT, 'a site stays with its client'); END;

CREATE TABLE departments (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    site_id    INTEGER NOT NULL REFERENCES sites (id),
    name       TEXT    NOT NULL COLLATE NOCASE CHECK (name <> ''),
    created_ms INTEGER NOT NULL,
    UNIQUE (site_id, name),
    UNIQUE (id, site_id)
) STRICT;

-- Deleting keeps the row (jobs and audit point to it) and drops the inventory.
CREATE TABLE devices (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    backend         TEXT    NOT NULL DEFAULT 'embedded' CHECK (backend <> ''),
    external_id     TEXT    NOT NULL CHECK (external_id <> ''), -- opaque, as the backend names it
    hostname        TEXT    NOT NULL COLLATE NOCASE CHECK (hostname <> ''),
    fqdn            TEXT    NOT NULL DEFAULT '' COLLATE NOCASE,
    client_id       INTEGER NOT NULL REFERENCES clients (id),
    site_id         INTEGER NOT NULL,
    department_id   INTEGER,
    platform        TEXT    NOT NULL DEFAULT 'other' CHECK (platform IN ('linux', 'windows', 'macos', 'other')),
    os              TEXT    NOT NULL DEFAULT '',
    os_version      TEXT    NOT NULL DEFAULT '',
    arch            TEXT    NOT NULL DEFAULT '',
    kind            TEXT    NOT NULL DEFAULT 'workstation' CHECK (kind IN ('server', 'workstation')),
    status          TEXT    NOT NULL DEFAULT 'unknown' CHECK (status IN ('online', 'offline', 'overdue', 'unknown')),
    last_seen_ms    INTEGER,
    boot_ms         INTEGER,
    needs_reboot    INTEGER NOT NULL DEFAULT 0 CHECK (needs_reboot IN (0, 1)),
    maintenance     INTEGER NOT NULL DEFAULT 0 CHECK (maintenance IN (0, 1)),
    serial          TEXT    NOT NULL DEFAULT '',
    make_model      TEXT    NOT NULL DEFAULT '',
    logged_in_user  TEXT    NOT NULL DEFAULT '',
    agent_version   TEXT    NOT NULL DEFAULT '',
    tags            TEXT    NOT NULL DEFAULT '[]' CHECK (json_type(tags) = 'array'),
    connection      TEXT    NOT NULL DEFAULT '',     -- how the executor reaches it: ssh://user@host:port, local, or nothing
    inventory_ms    INTEGER,                         -- last collection; NULL: never collected
    software_ms     INTEGER,                         -- software was read at this time; NULL: never
    patches_ms      INTEGER,                         -- patches were read at this time; NULL: never
    created_ms      INTEGER NOT NULL,
    updated_ms      INTEGER NOT NULL,
    deleted_ms      INTEGER,
    UNIQUE (backend, external_id),
    FOREIGN KEY (site_id, client_id) REFERENCES sites (id, client_id),
    FOREIGN KEY (department_id, site_id) REFERENCES departments (id, site_id)
) STRICT;
CREATE INDEX devices_by_name ON devices (hostname, id) WHERE deleted_ms IS NULL;
CREATE INDEX devices_by_fqdn ON devices (fqdn) WHERE fqdn <> '';
CREATE INDEX devices_by_client ON devices (client_id);
CREATE INDEX devices_by_site ON devices (site_id);
CREATE INDEX devices_by_department ON devices (department_id) WHERE department_id IS NOT NULL;

CREATE TABLE device_addresses (
    device_id INTEGER NOT NULL REFERENCES devices (id),
    address   TEXT    NOT NULL,                      -- canonical text
    sort      BLOB    NOT NULL CHECK (length(sort) = 16), -- IPv4 as mapped IPv6: ranges are ranges of bytes
    origin    TEXT    NOT NULL DEFAULT 'local' CHECK (origin IN ('local', 'public')),
    PRIMARY KEY (device_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX device_addresses_by_value ON device_addresses (sort, device_id);

-- Files whose hash was asked for.
CREATE TABLE device_files (
    device_id INTEGER NOT NULL REFERENCES devices (id),
    algorithm TEXT    NOT NULL CHECK (algorithm IN ('md5', 'sha1', 'sha256', 'sha512')),
    hash      TEXT    NOT NULL CHECK (hash = lower(hash)),
    path      TEXT    NOT NULL,
    bytes     INTEGER,
    seen_ms   INTEGER NOT NULL,
    PRIMARY KEY (device_id, algorithm, hash, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX device_files_by_hash ON device_files (hash, device_id);

CREATE TABLE hardware (
    device_id    INTEGER PRIMARY KEY REFERENCES devices (id),
    cpu          TEXT    NOT NULL DEFAULT '',
    cores        INTEGER,
    memory_bytes INTEGER,
    disk_bytes   INTEGER,                            -- all disks together
    disk_free_bytes INTEGER,
    disks        TEXT    NOT NULL DEFAULT '[]' CHECK (json_type(disks) = 'array'),
    gpus         TEXT    NOT NULL DEFAULT '[]' CHECK (json_type(gpus) = 'array'),
    nics         TEXT    NOT NULL DEFAULT '[]' CHECK (json_type(nics) = 'array'),
    bios         TEXT    NOT NULL DEFAULT '',
    collected_ms INTEGER NOT NULL
) STRICT;

-- A deleted device keeps its row only.
CREATE TRIGGER devices_deleted AFTER UPDATE OF deleted_ms ON devices
WHEN NEW.deleted_ms IS NOT NULL AND OLD.deleted_ms IS NULL
BEGIN
    DELETE FROM device_addresses WHERE device_id = NEW.id;
    DELETE FROM device_files WHERE device_id = NEW.id;
    DELETE FROM hardware WHERE device_id = NEW.id;
    DELETE FROM device_software WHERE device_id = NEW.id;
    DELETE FROM device_patches WHERE device_id = NEW.id;
END;
CREATE TRIGGER devices_keep AFTER UPDATE OF deleted_ms ON devices
WHEN NEW.deleted_ms IS NULL AND OLD.deleted_ms IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a deleted device does not come back: enrol it again'); END;
