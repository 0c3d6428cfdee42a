CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  tier TEXT NOT NULL CHECK (tier IN ('adult', 'student'))
);
CREATE TABLE loans (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members(id),
  title TEXT NOT NULL,
  due TEXT NOT NULL,
  returned TEXT NOT NULL
);
CREATE TABLE scans (
  loan_id INTEGER PRIMARY KEY REFERENCES loans(id),
  scanned_on TEXT NOT NULL
);
CREATE TABLE fines (
  id INTEGER PRIMARY KEY,
  loan_id INTEGER NOT NULL UNIQUE REFERENCES loans(id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('due', 'waived', 'paid'))
);
CREATE TABLE waivers (
  id INTEGER PRIMARY KEY,
  fine_id INTEGER NOT NULL UNIQUE REFERENCES fines(id),
  amount_cents INTEGER NOT NULL,
  note TEXT
);
CREATE TABLE notices (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members(id),
  body TEXT NOT NULL
);
CREATE TABLE policy (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
