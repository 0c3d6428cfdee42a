CREATE TABLE clients (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  contact TEXT NOT NULL,
  programme TEXT NOT NULL CHECK (programme IN ('standard', 'partner'))
);
CREATE TABLE rooms (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  floor INTEGER NOT NULL CHECK (floor BETWEEN 0 AND 4),
  capacity INTEGER NOT NULL CHECK (capacity > 0),          -- people in theatre rows
  lift TEXT CHECK (lift IN ('north', 'south')),            -- the lift that serves the room, if any
  rate_cents INTEGER NOT NULL CHECK (rate_cents > 0)       -- list price of one slot
);
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY,
  client_id INTEGER NOT NULL REFERENCES clients(id),
  event TEXT NOT NULL,
  room_id INTEGER NOT NULL REFERENCES rooms(id),
  day TEXT NOT NULL,
  slot TEXT NOT NULL CHECK (slot IN ('morning', 'afternoon', 'evening')),
  layout TEXT NOT NULL CHECK (layout IN ('theatre', 'classroom', 'cabaret', 'boardroom')),
  people INTEGER NOT NULL CHECK (people > 0),
  status TEXT NOT NULL CHECK (status IN ('provisional', 'firm', 'cancelled')),
  hire_cents INTEGER NOT NULL CHECK (hire_cents >= 0)      -- what the client pays for the room, which may differ from the list price
);
CREATE UNIQUE INDEX one_event_a_slot ON bookings (room_id, day, slot) WHERE status <> 'cancelled';
CREATE TABLE requests (                                    -- what clients have written to the desk about
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings(id),
  kind TEXT NOT NULL CHECK (kind IN ('move', 'cancel', 'invoice copy', 'parking')),
  received_on TEXT NOT NULL
);
CREATE TABLE diary (                                       -- the house's own plans
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('room closed', 'lift out')),
  room_id INTEGER REFERENCES rooms(id),
  lift TEXT CHECK (lift IN ('north', 'south')),
  CHECK ((kind = 'room closed') = (room_id IS NOT NULL) AND (kind = 'lift out') = (lift IS NOT NULL))
);
CREATE TABLE menus (
  name TEXT NOT NULL PRIMARY KEY,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0)     -- a person
);
CREATE TABLE catering (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings(id),
  menu TEXT NOT NULL REFERENCES menus(name),
  covers INTEGER NOT NULL CHECK (covers > 0),
  total_cents INTEGER NOT NULL CHECK (total_cents > 0),
  state TEXT NOT NULL CHECK (state IN ('ordered', 'withdrawn'))
);
CREATE TABLE equipment (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  stock INTEGER NOT NULL CHECK (stock >= 0)
);
CREATE TABLE equipment_orders (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings(id),
  equipment_id INTEGER NOT NULL REFERENCES equipment(id),
  quantity INTEGER NOT NULL CHECK (quantity > 0)
);
CREATE TABLE fees (                                        -- taken from the client's account at once
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings(id),
  kind TEXT NOT NULL CHECK (kind IN ('move', 'cancellation')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  po_number TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  charged_on TEXT NOT NULL,
  UNIQUE (booking_id, kind)
);
CREATE TABLE wishes (                                      -- what an organiser who wants to move needs; in their head alone
  booking_id INTEGER PRIMARY KEY REFERENCES bookings(id),
  people INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  slot TEXT NOT NULL CHECK (slot IN ('morning', 'afternoon', 'evening', 'any')),
  access TEXT NOT NULL CHECK (access IN ('step-free', 'stairs are fine')),
  budget_cents INTEGER NOT NULL,
  po_number TEXT NOT NULL
);
CREATE TABLE second_thoughts (                             -- what will have changed by the time they hear a first proposal
  booking_id INTEGER PRIMARY KEY REFERENCES wishes(booking_id),
  topic TEXT NOT NULL CHECK (topic IN ('people', 'days', 'slot', 'access')),
  people INTEGER,
  first_day TEXT,
  last_day TEXT,
  slot TEXT,
  access TEXT
);
CREATE TABLE intentions (                                  -- why a client cancels, and the fee above which they would rather keep the room
  booking_id INTEGER PRIMARY KEY REFERENCES bookings(id),
  reason TEXT NOT NULL,
  limit_cents INTEGER NOT NULL CHECK (limit_cents >= 0),
  po_number TEXT NOT NULL
);
CREATE TABLE policy (                                      -- never shown by a tool: the handbook is rendered from it
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);
