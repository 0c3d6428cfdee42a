CREATE TABLE holders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  town TEXT NOT NULL
);
CREATE TABLE contracts (                  -- one trip, one contract
  id TEXT NOT NULL PRIMARY KEY,
  holder_id INTEGER NOT NULL REFERENCES holders(id),
  tier TEXT NOT NULL CHECK (tier IN ('Standard', 'Premier')),
  destination TEXT NOT NULL,
  bought TEXT NOT NULL,
  starts TEXT NOT NULL,
  ends TEXT NOT NULL,
  bought_by TEXT NOT NULL CHECK (bought_by IN ('card', 'invoice'))
);
CREATE TABLE claims (                     -- as filed by the holder: stated_* is what the holder says
  id TEXT NOT NULL PRIMARY KEY,
  contract_id TEXT NOT NULL REFERENCES contracts(id),
  cover TEXT NOT NULL CHECK (cover IN ('delay', 'baggage', 'medical', 'cancellation')),
  provider TEXT NOT NULL,
  filed TEXT NOT NULL,
  stated_event TEXT NOT NULL,
  stated_cause TEXT NOT NULL,
  stated_hours INTEGER,                   -- delays only
  claimed_cents INTEGER NOT NULL CHECK (claimed_cents > 0),
  withdrawn_on TEXT
);
CREATE TABLE provider_records (           -- the airline's, clinic's or operator's own record, which the claim may contradict
  claim_id TEXT NOT NULL PRIMARY KEY REFERENCES claims(id),
  event TEXT NOT NULL,
  cause TEXT NOT NULL,
  hours INTEGER,
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
  discharged TEXT,                        -- clinics only: the end of a stay
  amended_on TEXT                         -- when the provider last changed its record, if it did
);
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY,
  claim_id TEXT NOT NULL REFERENCES claims(id),
  hearing INTEGER NOT NULL CHECK (hearing IN (1, 2)),          -- 2: after a reopening
  decision TEXT NOT NULL CHECK (decision IN ('approved-in-full', 'approved-in-part', 'declined')),
  reason TEXT CHECK (reason IN ('outside-period', 'waiting-period', 'late-filing', 'excluded-cause', 'below-minimum')),
  benefit_cents INTEGER NOT NULL CHECK (benefit_cents >= 0),
  decided_on TEXT NOT NULL,
  note TEXT,
  UNIQUE (claim_id, hearing),
  CHECK ((decision = 'declined') = (reason IS NOT NULL)),
  CHECK ((decision = 'declined') = (benefit_cents = 0))
);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  claim_id TEXT NOT NULL REFERENCES claims(id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  method TEXT NOT NULL CHECK (method IN ('transfer', 'card')),
  booked_on TEXT NOT NULL
);
CREATE TABLE reserves (
  id INTEGER PRIMARY KEY,
  claim_id TEXT NOT NULL REFERENCES claims(id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
  booked_on TEXT NOT NULL
);
CREATE TABLE letters (
  id INTEGER PRIMARY KEY,
  holder_id INTEGER NOT NULL REFERENCES holders(id),
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  sent_on TEXT NOT NULL
);
CREATE TABLE appeals (
  id TEXT NOT NULL PRIMARY KEY,
  claim_id TEXT NOT NULL UNIQUE REFERENCES claims(id),
  received TEXT NOT NULL,
  grounds TEXT NOT NULL
);
CREATE TABLE appeal_rulings (
  appeal_id TEXT NOT NULL PRIMARY KEY REFERENCES appeals(id),
  ruling TEXT NOT NULL CHECK (ruling IN ('reopened', 'upheld', 'out-of-time')),
  reason TEXT CHECK (reason IN ('outside-period', 'waiting-period', 'late-filing', 'excluded-cause', 'below-minimum')),
  ruled_on TEXT NOT NULL,
  note TEXT,
  CHECK ((ruling = 'upheld') = (reason IS NOT NULL))
);
CREATE INDEX contracts_of_holder ON contracts (holder_id);
CREATE INDEX claims_of_contract ON claims (contract_id);
CREATE INDEX payments_of_claim ON payments (claim_id);
CREATE TABLE policy (                     -- never shown by a tool: the handbook is rendered from it
  name TEXT NOT NULL PRIMARY KEY,
  value NOT NULL                          -- a whole number, or the name of a cause
);
