CREATE TABLE berths (
  code TEXT PRIMARY KEY NOT NULL,
  pier TEXT NOT NULL,
  length_cm INTEGER NOT NULL,
  width_cm INTEGER NOT NULL,
  depth_cm INTEGER NOT NULL,                     -- water at low tide
  usable INTEGER NOT NULL CHECK (usable IN (0, 1))
);
CREATE TABLE boats (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  length_cm INTEGER NOT NULL,
  beam_cm INTEGER NOT NULL,
  draught_cm INTEGER NOT NULL,
  insured_until TEXT NOT NULL
);
CREATE TABLE stays (                             -- arrive is the first night's day, depart the day of leaving
  id INTEGER PRIMARY KEY,
  boat_id INTEGER NOT NULL REFERENCES boats(id),
  berth TEXT NOT NULL REFERENCES berths(code),
  arrive TEXT NOT NULL,
  depart TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('booked', 'held', 'moored', 'left', 'cancelled')),
  CHECK (arrive < depart)
);
CREATE TABLE meter_readings (                    -- the pillar's meter, in whole kilowatt hours
  id INTEGER PRIMARY KEY,
  berth TEXT NOT NULL REFERENCES berths(code),
  day TEXT NOT NULL,
  kwh INTEGER NOT NULL,
  UNIQUE (berth, day)
);
CREATE TABLE charges (
  id INTEGER PRIMARY KEY,
  stay_id INTEGER NOT NULL REFERENCES stays(id),
  kind TEXT NOT NULL CHECK (kind IN ('mooring', 'power')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  UNIQUE (stay_id, kind)
);
CREATE TABLE policy (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
