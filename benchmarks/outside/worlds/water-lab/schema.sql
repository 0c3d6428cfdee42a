CREATE TABLE clients (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE points (                            -- taps, wells and tanks where water is sampled
  id INTEGER PRIMARY KEY,
  client_id INTEGER NOT NULL REFERENCES clients(id),
  name TEXT NOT NULL
);
CREATE TABLE samples (
  code TEXT PRIMARY KEY NOT NULL,
  point_id INTEGER NOT NULL REFERENCES points(id),
  taken_at TEXT NOT NULL,
  left_ml INTEGER NOT NULL,                      -- what is left in the bottle
  status TEXT NOT NULL CHECK (status IN ('arrived', 'accepted', 'rejected', 'reported')),
  reason TEXT CHECK (reason IN ('late', 'warm'))
);
CREATE TABLE arrivals (                          -- what the logger in the cool box says
  sample TEXT PRIMARY KEY NOT NULL REFERENCES samples(code),
  arrived_at TEXT NOT NULL,
  tenths_of_degree INTEGER NOT NULL
);
CREATE TABLE runs (                              -- a day's work of an instrument
  id INTEGER PRIMARY KEY,
  instrument TEXT NOT NULL CHECK (instrument IN ('ICP-1', 'ICP-2', 'IC-1')),
  day TEXT NOT NULL
);
CREATE TABLE checks (                            -- control measurements of the instruments
  id INTEGER PRIMARY KEY,
  instrument TEXT NOT NULL CHECK (instrument IN ('ICP-1', 'ICP-2', 'IC-1')),
  day TEXT NOT NULL,
  passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
  UNIQUE (instrument, day)
);
CREATE TABLE analyses (                          -- values in micrograms a litre
  id INTEGER PRIMARY KEY,
  sample TEXT NOT NULL REFERENCES samples(code),
  parameter TEXT NOT NULL CHECK (parameter IN ('copper', 'iron', 'lead', 'manganese', 'nitrate')),
  run_id INTEGER NOT NULL REFERENCES runs(id),
  value_ug INTEGER NOT NULL CHECK (value_ug >= 0),
  status TEXT NOT NULL CHECK (status IN ('valid', 'withdrawn'))
);
CREATE TABLE repeats (                           -- analyses to be done again
  id INTEGER PRIMARY KEY,
  sample TEXT NOT NULL REFERENCES samples(code),
  parameter TEXT NOT NULL CHECK (parameter IN ('copper', 'iron', 'lead', 'manganese', 'nitrate')),
  due TEXT NOT NULL,
  UNIQUE (sample, parameter)
);
CREATE TABLE results (                           -- what goes into the report
  id INTEGER PRIMARY KEY,
  sample TEXT NOT NULL REFERENCES samples(code),
  parameter TEXT NOT NULL CHECK (parameter IN ('copper', 'iron', 'lead', 'manganese', 'nitrate')),
  value_ug INTEGER NOT NULL CHECK (value_ug >= 0),
  UNIQUE (sample, parameter)
);
CREATE TABLE policy (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
