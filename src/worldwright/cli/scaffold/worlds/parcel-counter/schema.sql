-- Every table has a PRIMARY KEY that can't be NULL. Money is whole cents (INTEGER, named _cents), days are ISO text.
CREATE TABLE parcels (
  id INTEGER PRIMARY KEY,
  recipient TEXT NOT NULL,
  size TEXT NOT NULL CHECK (size IN ('small', 'large')),
  announced_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('stored', 'handed-out', 'returned'))
);
CREATE TABLE scans (              -- hidden: when a parcel really came, which is never the day that was announced
  parcel_id INTEGER PRIMARY KEY REFERENCES parcels(id),
  arrived_on TEXT NOT NULL
);
CREATE TABLE fees (
  id INTEGER PRIMARY KEY,
  parcel_id INTEGER NOT NULL UNIQUE REFERENCES parcels(id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  note TEXT
);
CREATE TABLE policy (             -- what the handbook says, drawn anew for each seed
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
