CREATE TABLE shift (                      -- one row: the bench's day
  id INTEGER PRIMARY KEY CHECK (id = 1),
  opens_at TEXT NOT NULL,
  closes_at TEXT NOT NULL
);
CREATE TABLE clients (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE sites (
  id INTEGER PRIMARY KEY,
  client_id INTEGER NOT NULL REFERENCES clients(id),
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('network', 'dialysis', 'infant-care'))
);
CREATE TABLE techniques (
  code TEXT NOT NULL PRIMARY KEY,
  preparation TEXT NOT NULL,
  prep_minutes INTEGER NOT NULL,
  base_minutes INTEGER NOT NULL,          -- a run takes base_minutes plus minutes_each for every aliquot
  minutes_each INTEGER NOT NULL,
  calibration_minutes INTEGER NOT NULL
);
CREATE TABLE parameters (
  code TEXT NOT NULL PRIMARY KEY,
  technique TEXT NOT NULL REFERENCES techniques(code)
);
CREATE TABLE instruments (
  id TEXT NOT NULL PRIMARY KEY,
  technique TEXT NOT NULL REFERENCES techniques(code),
  capacity INTEGER NOT NULL CHECK (capacity > 0),
  state TEXT NOT NULL CHECK (state IN ('up', 'down')),
  calibrated_until TEXT NOT NULL,
  drift_pm INTEGER NOT NULL,              -- per mille by which it reads wrong until it is calibrated
  wobble_pm INTEGER NOT NULL              -- scatter of its check standard, per mille; doesn't touch samples
);
CREATE TABLE samples (
  id INTEGER PRIMARY KEY,
  client_id INTEGER NOT NULL REFERENCES clients(id),
  site_id INTEGER NOT NULL REFERENCES sites(id),
  parameter TEXT NOT NULL REFERENCES parameters(code),
  state TEXT NOT NULL CHECK (state IN ('announced', 'received')),
  taken_at TEXT NOT NULL,
  received_at TEXT,
  CHECK ((state = 'received') = (received_at IS NOT NULL))
);
CREATE INDEX samples_by_client ON samples(client_id);
CREATE TABLE truth (                      -- what is in the water; the first aliquot of some samples was spoilt by a dirty vial
  sample_id INTEGER PRIMARY KEY REFERENCES samples(id),
  value_ug INTEGER NOT NULL CHECK (value_ug >= 0),
  spike_ug INTEGER NOT NULL CHECK (spike_ug >= 0)
);
CREATE TABLE couriers (                   -- when an announced sample will arrive
  sample_id INTEGER PRIMARY KEY REFERENCES samples(id),
  arrives_at TEXT NOT NULL
);
CREATE TABLE incidents (                  -- when an instrument will break down
  instrument_id TEXT NOT NULL PRIMARY KEY REFERENCES instruments(id),
  at TEXT NOT NULL
);
CREATE TABLE aliquots (
  id INTEGER PRIMARY KEY,
  sample_id INTEGER NOT NULL REFERENCES samples(id),
  prepared_at TEXT NOT NULL,
  ready_at TEXT NOT NULL
);
CREATE INDEX aliquots_by_sample ON aliquots(sample_id);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  instrument_id TEXT NOT NULL REFERENCES instruments(id),
  started_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,                  -- when it is due to end; when it did, once it is finished
  state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'aborted')),
  recovery_pm INTEGER,                    -- recovery of the check standard, per mille
  CHECK ((state = 'finished') = (recovery_pm IS NOT NULL))
);
CREATE TABLE run_items (
  run_id INTEGER NOT NULL REFERENCES runs(id),
  aliquot_id INTEGER NOT NULL REFERENCES aliquots(id),
  PRIMARY KEY (run_id, aliquot_id)
);
CREATE INDEX run_items_by_aliquot ON run_items(aliquot_id);
CREATE TABLE results (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs(id),
  sample_id INTEGER NOT NULL REFERENCES samples(id),
  aliquot_id INTEGER NOT NULL UNIQUE REFERENCES aliquots(id),
  value_ug INTEGER NOT NULL
);
CREATE INDEX results_by_sample ON results(sample_id);
CREATE TABLE calibrations (
  id INTEGER PRIMARY KEY,
  instrument_id TEXT NOT NULL REFERENCES instruments(id),
  started_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'aborted'))
);
CREATE TABLE withdrawals (                -- journal
  result_id INTEGER PRIMARY KEY REFERENCES results(id),
  withdrawn_at TEXT NOT NULL,
  reason TEXT NOT NULL
);
CREATE TABLE notices (                    -- journal
  id INTEGER PRIMARY KEY,
  sample_id INTEGER NOT NULL REFERENCES samples(id),
  result_id INTEGER NOT NULL REFERENCES results(id),
  recipient TEXT NOT NULL CHECK (recipient IN ('health-office', 'client-duty')),
  sent_at TEXT NOT NULL,
  UNIQUE (sample_id, recipient)
);
CREATE TABLE reports (                    -- journal
  id INTEGER PRIMARY KEY,
  sample_id INTEGER NOT NULL UNIQUE REFERENCES samples(id),
  result_id INTEGER NOT NULL REFERENCES results(id),
  verdict TEXT NOT NULL CHECK (verdict IN ('complies', 'exceeds')),
  sent_at TEXT NOT NULL
);
CREATE TABLE rejections (                 -- journal
  sample_id INTEGER PRIMARY KEY REFERENCES samples(id),
  reason TEXT NOT NULL CHECK (reason IN ('holding-time', 'damaged', 'no-label')),
  rejected_at TEXT NOT NULL
);
CREATE TABLE subcontracts (               -- journal
  sample_id INTEGER PRIMARY KEY REFERENCES samples(id),
  laboratory TEXT NOT NULL,
  sent_at TEXT NOT NULL
);
CREATE TABLE policy (                     -- never shown by a tool: the handbook is rendered from it
  name TEXT NOT NULL PRIMARY KEY,
  value NOT NULL
);
