CREATE TABLE products (
  sku TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('tinned', 'dry', 'chilled')),
  grams INTEGER NOT NULL                         -- of one unit
);
CREATE TABLE batches (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL REFERENCES products(sku),
  lot TEXT NOT NULL,                             -- the maker's mark; a lot may stand in several batches
  shelf TEXT NOT NULL,
  best_before TEXT NOT NULL,
  units INTEGER NOT NULL CHECK (units >= 0),     -- what is left
  status TEXT NOT NULL CHECK (status IN ('good', 'blocked', 'discarded')),
  UNIQUE (sku, best_before)
);
CREATE TABLE partners (                          -- kitchens and pantries that fetch food from us
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  partner_id INTEGER NOT NULL REFERENCES partners(id),
  pickup TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'ready'))
);
CREATE TABLE order_lines (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders(id),
  sku TEXT NOT NULL REFERENCES products(sku),
  units INTEGER NOT NULL CHECK (units > 0),
  UNIQUE (order_id, sku)
);
CREATE TABLE picks (
  id INTEGER PRIMARY KEY,
  line_id INTEGER NOT NULL REFERENCES order_lines(id),
  batch_id INTEGER NOT NULL REFERENCES batches(id),
  units INTEGER NOT NULL CHECK (units > 0),
  UNIQUE (line_id, batch_id)
);
CREATE TABLE handouts (                          -- what partners have fetched
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batches(id),
  partner_id INTEGER NOT NULL REFERENCES partners(id),
  day TEXT NOT NULL,
  units INTEGER NOT NULL
);
CREATE TABLE warnings (                          -- to partners, about a lot that was called back
  id INTEGER PRIMARY KEY,
  partner_id INTEGER NOT NULL REFERENCES partners(id),
  lot TEXT NOT NULL,
  UNIQUE (partner_id, lot)
);
CREATE TABLE donors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE donations (
  id INTEGER PRIMARY KEY,
  donor_id INTEGER NOT NULL REFERENCES donors(id),
  day TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('received', 'refused'))
);
CREATE TABLE donation_lines (
  id INTEGER PRIMARY KEY,
  donation_id INTEGER NOT NULL REFERENCES donations(id),
  sku TEXT NOT NULL REFERENCES products(sku),
  units INTEGER NOT NULL,
  UNIQUE (donation_id, sku)
);
CREATE TABLE letters (
  id INTEGER PRIMARY KEY,
  donor_id INTEGER NOT NULL REFERENCES donors(id),
  text TEXT NOT NULL
);
CREATE TABLE policy (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
