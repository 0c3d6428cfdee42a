CREATE TABLE districts (
  name TEXT PRIMARY KEY NOT NULL
);
CREATE TABLE neighbours (                 -- both directions are stored
  district TEXT NOT NULL REFERENCES districts(name),
  neighbour TEXT NOT NULL REFERENCES districts(name),
  PRIMARY KEY (district, neighbour)
);
CREATE TABLE technicians (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  grade TEXT NOT NULL CHECK (grade IN ('senior', 'standard', 'junior')),
  home_district TEXT NOT NULL REFERENCES districts(name)
);
CREATE TABLE certificates (
  technician_id INTEGER NOT NULL REFERENCES technicians(id),
  code TEXT NOT NULL CHECK (code IN ('GAS', 'LPG', 'OIL', 'FGAS', 'G3')),
  valid_until TEXT NOT NULL,              -- the register's date; the technician's card does not show it
  PRIMARY KEY (technician_id, code)
);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  district TEXT NOT NULL REFERENCES districts(name),
  street TEXT NOT NULL,
  phone TEXT NOT NULL,
  care_until TEXT                         -- last day on the care register; NULL: never listed
);
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers(id),
  day TEXT NOT NULL,                      -- the day the job is booked on
  work TEXT NOT NULL CHECK (work IN ('annual service', 'safety check', 'repair')),
  appliance TEXT NOT NULL CHECK (appliance IN ('gas boiler', 'LPG boiler', 'oil boiler', 'heat pump', 'unvented cylinder')),
  report TEXT,                            -- what is wrong, for a repair
  remark TEXT,
  home_from TEXT NOT NULL,
  home_to TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'on hold', 'cancelled', 'done'))
);
CREATE TABLE visits (                     -- who goes to a job, and when
  job_id INTEGER PRIMARY KEY REFERENCES jobs(id),
  technician_id INTEGER NOT NULL REFERENCES technicians(id),
  day TEXT NOT NULL,
  slot TEXT NOT NULL CHECK (slot IN ('08:00', '10:00', '13:00', '15:00')),
  note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE absences (
  technician_id INTEGER NOT NULL REFERENCES technicians(id),
  day TEXT NOT NULL,
  part TEXT NOT NULL CHECK (part IN ('day', 'morning', 'afternoon')),
  reason TEXT NOT NULL CHECK (reason IN ('holiday', 'training', 'illness')),
  PRIMARY KEY (technician_id, day)
);
CREATE TABLE inbox (                      -- what technicians write to the office
  id INTEGER PRIMARY KEY,
  received_at TEXT NOT NULL,
  technician_id INTEGER NOT NULL REFERENCES technicians(id),
  day TEXT NOT NULL,
  topic TEXT NOT NULL CHECK (topic IN ('ill', 'fit', 'parts', 'question')),
  text TEXT NOT NULL
);
CREATE TABLE notices (                    -- sent is sent: append-only
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES jobs(id),
  channel TEXT NOT NULL CHECK (channel IN ('text', 'call', 'email', 'letter')),
  reason TEXT NOT NULL CHECK (reason IN ('changed', 'cancelled', 'reminder')),
  technician_id INTEGER NOT NULL REFERENCES technicians(id),   -- as it was planned when the notice went out
  slot TEXT NOT NULL,
  sent_at TEXT NOT NULL
);
CREATE TABLE policy (                     -- never shown by a tool: the handbook is rendered from it
  name TEXT PRIMARY KEY NOT NULL,
  value NOT NULL
);
CREATE INDEX jobs_by_day ON jobs(day);
CREATE INDEX visits_by_day ON visits(day);
