CREATE TABLE sites (
  code TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  rate TEXT NOT NULL CHECK (rate IN ('full', 'reduced')),
  arrears_cents INTEGER NOT NULL CHECK (arrears_cents >= 0)
);
CREATE TABLE plots (
  code TEXT PRIMARY KEY NOT NULL,
  site TEXT NOT NULL REFERENCES sites(code),
  size_m2 INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('let', 'vacant', 'resting')),
  member_id INTEGER REFERENCES members(id),      -- the tenant, of a plot that is let
  let_from TEXT
);
CREATE TABLE waiting_list (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL UNIQUE REFERENCES members(id),
  site TEXT REFERENCES sites(code),              -- NULL: any site
  smallest_m2 INTEGER NOT NULL,
  applied_on TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'withdrawn', 'served'))
);
CREATE TABLE inspections (
  id INTEGER PRIMARY KEY,
  plot TEXT NOT NULL REFERENCES plots(code),
  day TEXT NOT NULL,
  cultivated_percent INTEGER NOT NULL CHECK (cultivated_percent BETWEEN 0 AND 100),
  UNIQUE (plot, day)
);
CREATE TABLE notices (                           -- letters to tenants; what is sent is sent
  id INTEGER PRIMARY KEY,
  plot TEXT NOT NULL REFERENCES plots(code),
  kind TEXT NOT NULL CHECK (kind IN ('warning', 'termination')),
  sent_on TEXT NOT NULL,
  respond_by TEXT NOT NULL
);
CREATE TABLE offers (
  id INTEGER PRIMARY KEY,
  plot TEXT NOT NULL UNIQUE REFERENCES plots(code),
  member_id INTEGER NOT NULL REFERENCES members(id),
  answer_by TEXT NOT NULL
);
CREATE TABLE bills (
  id INTEGER PRIMARY KEY,
  plot TEXT NOT NULL REFERENCES plots(code),
  year INTEGER NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  UNIQUE (plot, year)
);
CREATE TABLE policy (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
