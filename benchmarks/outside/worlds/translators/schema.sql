CREATE TABLE clients (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  rate_tenths INTEGER NOT NULL                   -- price of a word, in tenths of a cent
);
CREATE TABLE translators (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  words_a_day INTEGER NOT NULL
);
CREATE TABLE skills (                            -- who translates what, and what a word of it costs us
  id INTEGER PRIMARY KEY,
  translator_id INTEGER NOT NULL REFERENCES translators(id),
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  field TEXT NOT NULL CHECK (field IN ('law', 'medicine', 'engineering')),
  cost_tenths INTEGER NOT NULL,                  -- in tenths of a cent
  UNIQUE (translator_id, source, target, field)
);
CREATE TABLE absences (
  id INTEGER PRIMARY KEY,
  translator_id INTEGER NOT NULL REFERENCES translators(id),
  first TEXT NOT NULL,
  last TEXT NOT NULL,
  CHECK (first <= last)
);
CREATE TABLE jobs (
  code TEXT PRIMARY KEY NOT NULL,
  client_id INTEGER NOT NULL REFERENCES clients(id),
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  field TEXT NOT NULL CHECK (field IN ('law', 'medicine', 'engineering')),
  words INTEGER NOT NULL,
  ordered_on TEXT NOT NULL,
  deadline TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'assigned', 'delivered', 'cancelled')),
  translator_id INTEGER REFERENCES translators(id),
  fee_cents INTEGER,                             -- what the translator gets
  price_cents INTEGER                            -- what the client is quoted
);
CREATE TABLE word_counts (                       -- what the comparison with earlier translations found
  job TEXT PRIMARY KEY NOT NULL REFERENCES jobs(code),
  new_words INTEGER NOT NULL,
  similar_words INTEGER NOT NULL,
  repeated_words INTEGER NOT NULL
);
CREATE TABLE progress (
  job TEXT PRIMARY KEY NOT NULL REFERENCES jobs(code),
  words_done INTEGER NOT NULL
);
CREATE TABLE policy (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
