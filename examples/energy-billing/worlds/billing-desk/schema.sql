CREATE TABLE customers (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  town TEXT NOT NULL,
  contact_by TEXT NOT NULL CHECK (contact_by IN ('email', 'letter')),
  social_from TEXT,                       -- social certificate: first and last day, both or neither
  social_until TEXT,
  priority_since TEXT,                    -- day on which the household joined the priority register
  CHECK ((social_from IS NULL) = (social_until IS NULL))
);
CREATE TABLE meters (
  id TEXT NOT NULL PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers(id),
  fuel TEXT NOT NULL CHECK (fuel IN ('electricity', 'gas'))
);
CREATE TABLE readings (                   -- what was keyed at the desk
  id INTEGER PRIMARY KEY,
  meter_id TEXT NOT NULL REFERENCES meters(id),
  entered_on TEXT NOT NULL,
  entered_by TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('operator', 'customer')),
  operator_ref TEXT,                      -- the operator's reference, for readings that came from the operator
  kwh INTEGER NOT NULL CHECK (kwh >= 0),
  state TEXT NOT NULL DEFAULT 'entered' CHECK (state IN ('entered', 'corrected')),
  CHECK ((source = 'operator') = (operator_ref IS NOT NULL))
);
CREATE TABLE operator_reads (             -- the meter operator's own record, which the desk's may contradict
  operator_ref TEXT NOT NULL PRIMARY KEY,
  meter_id TEXT NOT NULL REFERENCES meters(id),
  read_on TEXT NOT NULL,
  kwh INTEGER NOT NULL
);
CREATE TABLE bills (                      -- as printed and sent
  id TEXT NOT NULL PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers(id),
  meter_id TEXT NOT NULL REFERENCES meters(id),
  issued_on TEXT NOT NULL,
  period_from TEXT NOT NULL,
  period_to TEXT NOT NULL,
  opening_reading INTEGER NOT NULL REFERENCES readings(id),
  closing_reading INTEGER NOT NULL REFERENCES readings(id),
  billed_kwh INTEGER NOT NULL,
  per_100_kwh_cents INTEGER NOT NULL,     -- the price of 100 kWh, before tax
  standing_cents INTEGER NOT NULL,        -- the standing charge of the whole period, before tax
  tariff TEXT NOT NULL CHECK (tariff IN ('standard', 'social')),
  total_cents INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'corrected'))
);
CREATE TABLE credit_notes (
  id INTEGER PRIMARY KEY,
  bill_id TEXT NOT NULL UNIQUE REFERENCES bills(id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  settle TEXT NOT NULL CHECK (settle IN ('refund', 'offset')),
  issued_on TEXT NOT NULL
);
CREATE TABLE visits (                     -- appointments of the operator's technicians
  id TEXT NOT NULL PRIMARY KEY,
  meter_id TEXT NOT NULL REFERENCES meters(id),
  planned_on TEXT NOT NULL,
  purpose TEXT NOT NULL
);
CREATE TABLE visit_log (                  -- the operator's own report on each visit
  visit_id TEXT NOT NULL PRIMARY KEY REFERENCES visits(id),
  report_no TEXT NOT NULL UNIQUE,
  outcome TEXT NOT NULL CHECK (outcome IN ('kept', 'missed', 'called off')),
  called_off_on TEXT,
  CHECK ((outcome = 'called off') = (called_off_on IS NOT NULL))
);
CREATE TABLE claims (
  id TEXT NOT NULL PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers(id),
  visit_id TEXT NOT NULL UNIQUE REFERENCES visits(id),
  received_on TEXT NOT NULL,
  asked_cents INTEGER NOT NULL,
  words TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'granted', 'refused')),
  reason TEXT CHECK (reason IN ('too-late', 'kept', 'called-off'))
);
CREATE TABLE payments (                   -- compensation paid out; money that has left
  id INTEGER PRIMARY KEY,
  claim_id TEXT NOT NULL UNIQUE REFERENCES claims(id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_on TEXT NOT NULL
);
CREATE TABLE notes (                      -- internal: the customer never sees them
  id INTEGER PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers(id),
  written_on TEXT NOT NULL,
  file_no TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE mail (                       -- what went out; it can't be called back
  id INTEGER PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers(id),
  about TEXT NOT NULL,                    -- the number of a bill or of a claim
  channel TEXT NOT NULL CHECK (channel IN ('email', 'letter')),
  body TEXT NOT NULL,
  sent_at TEXT NOT NULL
);
CREATE TABLE policy (                     -- never shown by a tool: the handbook is rendered from it
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
);
CREATE INDEX meters_of ON meters(customer_id);
CREATE INDEX readings_of ON readings(meter_id);
CREATE INDEX bills_of ON bills(customer_id);
