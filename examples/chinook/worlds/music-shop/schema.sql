-- The first eleven tables are imported (sample.yaml says from where); the others are the shop desk's own, made by scenario.py.
CREATE TABLE artists (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);
CREATE TABLE albums (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  artist_id INTEGER NOT NULL REFERENCES artists(id)
);
CREATE TABLE genres (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);
CREATE TABLE media_types (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);
CREATE TABLE tracks (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  album_id INTEGER NOT NULL REFERENCES albums(id),
  media_type_id INTEGER NOT NULL REFERENCES media_types(id),
  genre_id INTEGER NOT NULL REFERENCES genres(id),
  composer TEXT,                          -- more than a quarter of the catalogue names none
  milliseconds INTEGER NOT NULL CHECK (milliseconds > 0),
  bytes INTEGER,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0)
);
CREATE TABLE employees (
  id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  title TEXT NOT NULL,
  reports_to INTEGER REFERENCES employees(id),
  hired TEXT NOT NULL,
  city TEXT,
  email TEXT
);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  company TEXT,
  address TEXT,
  city TEXT,
  state TEXT,
  country TEXT NOT NULL,
  postal_code TEXT,
  phone TEXT,
  email TEXT NOT NULL,
  support_rep_id INTEGER REFERENCES employees(id)
);
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers(id),
  invoiced TEXT NOT NULL,
  billing_city TEXT,
  billing_state TEXT,
  billing_country TEXT,
  total_cents INTEGER NOT NULL CHECK (total_cents >= 0)
);
CREATE TABLE invoice_lines (
  id INTEGER PRIMARY KEY,
  invoice_id INTEGER NOT NULL REFERENCES invoices(id),
  track_id INTEGER NOT NULL REFERENCES tracks(id),
  unit_price_cents INTEGER NOT NULL,
  quantity INTEGER NOT NULL
);
CREATE TABLE playlists (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,                     -- not unique: the source has two lists named Music, Movies, TV Shows and Audiobooks
  kind TEXT NOT NULL DEFAULT 'ordinary' CHECK (kind IN ('ordinary', 'window')),
  genre_id INTEGER REFERENCES genres(id)  -- window lists alone have one
);
CREATE TABLE playlist_tracks (
  playlist_id INTEGER NOT NULL REFERENCES playlists(id),
  track_id INTEGER NOT NULL REFERENCES tracks(id),
  PRIMARY KEY (playlist_id, track_id)
);

CREATE TABLE payment_references (         -- what the shop calls invoice 5 the processor calls PX204417
  invoice_id INTEGER PRIMARY KEY REFERENCES invoices(id),
  reference TEXT NOT NULL UNIQUE
);
CREATE TABLE processor_entries (          -- the payment processor's own log
  id INTEGER PRIMARY KEY,
  reference TEXT NOT NULL REFERENCES payment_references(reference),
  kind TEXT NOT NULL CHECK (kind IN ('capture', 'refund', 'chargeback')),
  status TEXT NOT NULL CHECK (status IN ('settled', 'voided')),
  amount_cents INTEGER NOT NULL,
  booked TEXT NOT NULL
);
CREATE TABLE invoice_flags (              -- an invoice that the shop and the processor see differently
  id INTEGER PRIMARY KEY,
  invoice_id INTEGER NOT NULL UNIQUE REFERENCES invoices(id),
  kind TEXT NOT NULL CHECK (kind IN ('over', 'under', 'missing')),
  difference_cents INTEGER NOT NULL,
  note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE refund_requests (
  id INTEGER PRIMARY KEY,
  line_id INTEGER NOT NULL REFERENCES invoice_lines(id),
  received TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('changed_mind', 'wrong_track', 'faulty_file')),
  status TEXT NOT NULL CHECK (status IN ('open', 'granted', 'declined')),
  decided TEXT
);
CREATE TABLE refunds (                    -- a journal: money that left
  id INTEGER PRIMARY KEY,
  line_id INTEGER NOT NULL UNIQUE REFERENCES invoice_lines(id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE delivery_log (               -- the download server's record of a line sold in the past twelve months
  line_id INTEGER PRIMARY KEY REFERENCES invoice_lines(id),
  attempts INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  licence_activated TEXT                  -- protected files alone
);
CREATE TABLE file_checks (                -- what the audio engineer found in a file that somebody complained about
  track_id INTEGER PRIMARY KEY REFERENCES tracks(id),
  finding TEXT NOT NULL CHECK (finding IN ('sound', 'faulty'))
);
CREATE TABLE track_rights (               -- the rights office's record for shop-window use
  track_id INTEGER PRIMARY KEY REFERENCES tracks(id),
  status TEXT NOT NULL CHECK (status IN ('cleared', 'blanket', 'blocked'))
);
CREATE TABLE skills (
  employee_id INTEGER NOT NULL REFERENCES employees(id),
  skill TEXT NOT NULL,
  PRIMARY KEY (employee_id, skill)
);
CREATE TABLE absences (
  id INTEGER PRIMARY KEY,
  employee_id INTEGER NOT NULL REFERENCES employees(id),
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL
);
CREATE TABLE mail (                       -- a journal: what was sent can't be called back
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers(id),
  template TEXT NOT NULL CHECK (template IN ('new_agent', 'refund_decision', 'payment_query')),
  sent TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE policy (                     -- no tool reads it: the handbook is rendered from it
  name TEXT PRIMARY KEY NOT NULL,
  value NOT NULL
);
CREATE INDEX albums_by_artist ON albums (artist_id);
CREATE INDEX tracks_by_album ON tracks (album_id);
CREATE INDEX tracks_by_genre ON tracks (genre_id);
CREATE INDEX invoices_by_customer ON invoices (customer_id);
CREATE INDEX lines_by_invoice ON invoice_lines (invoice_id);
CREATE INDEX lists_by_track ON playlist_tracks (track_id);
CREATE INDEX requests_by_line ON refund_requests (line_id);
CREATE INDEX entries_by_reference ON processor_entries (reference);
CREATE INDEX absences_by_employee ON absences (employee_id);
