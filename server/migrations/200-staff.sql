-- Staff: who may do what in the admin area, and how much of it alone (docs/staff.md).

CREATE TABLE staff_role (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A role that every shop has: its permissions are in the program and its names in the texts. Null: the shop's own.
  built_in text UNIQUE CHECK (built_in IN ('owner', 'manager', 'stock', 'finance', 'support')),
  name text CHECK (name <> ''),
  permissions text[] NOT NULL DEFAULT '{}',
  -- What one of its people may refund or change balances by without a colleague's yes: minor units; null is no limit.
  rub_once bigint CHECK (rub_once >= 0),
  rub_daily bigint CHECK (rub_daily >= 0),
  usd_once bigint CHECK (usd_once >= 0),
  usd_daily bigint CHECK (usd_daily >= 0),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((built_in IS NULL) <> (name IS NULL)),
  CHECK (built_in IS NULL OR permissions = '{}')
);
CREATE UNIQUE INDEX staff_role_name ON staff_role (lower(name));
CREATE TRIGGER staff_role_version BEFORE UPDATE ON staff_role FOR EACH ROW EXECUTE FUNCTION count_version();

INSERT INTO staff_role (built_in, rub_once, rub_daily, usd_once, usd_daily) VALUES
  ('owner', NULL, NULL, NULL, NULL),
  ('manager', 1000000, 5000000, 10000, 50000),
  ('stock', 0, 0, 0, 0),
  ('finance', 5000000, 20000000, 50000, 200000),
  ('support', 50000, 200000, 500, 2000);

ALTER TABLE users ADD COLUMN staff_role_id int REFERENCES staff_role;

-- An admin is one of the staff, and a customer is not. A program that knows no roles makes owners, which its admins are.
CREATE FUNCTION follow_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.role = 'customer' THEN
    NEW.staff_role_id := NULL;
  ELSIF NEW.staff_role_id IS NULL THEN
    NEW.staff_role_id := (SELECT id FROM staff_role WHERE built_in = 'owner');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER users_follow_role BEFORE INSERT OR UPDATE OF role, staff_role_id ON users
  FOR EACH ROW EXECUTE FUNCTION follow_role();

UPDATE users SET role = 'admin' WHERE role = 'admin';
ALTER TABLE users ADD CHECK ((role = 'admin') = (staff_role_id IS NOT NULL));

-- When each of the staff was last seen, which outlives their sessions.
CREATE TABLE staff_seen (
  user_id int PRIMARY KEY REFERENCES users,
  seen_at timestamptz NOT NULL
);
