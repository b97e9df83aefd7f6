-- Counts the changes of what admins edit: who sends the version they saw is told when somebody was quicker.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

ALTER TABLE region ADD COLUMN version int NOT NULL DEFAULT 1;
CREATE TRIGGER region_version BEFORE UPDATE ON region FOR EACH ROW EXECUTE FUNCTION count_version();
ALTER TABLE promotion ADD COLUMN version int NOT NULL DEFAULT 1;
CREATE TRIGGER promotion_version BEFORE UPDATE ON promotion FOR EACH ROW EXECUTE FUNCTION count_version();
ALTER TABLE product ADD COLUMN version int NOT NULL DEFAULT 1;
CREATE TRIGGER product_version BEFORE UPDATE ON product FOR EACH ROW EXECUTE FUNCTION count_version();
ALTER TABLE offer ADD COLUMN version int NOT NULL DEFAULT 1;
-- An import writes every price again, also those that stay.
CREATE TRIGGER offer_version BEFORE UPDATE ON offer FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION count_version();

-- A deleted product gives its slug back.
ALTER TABLE product DROP CONSTRAINT product_slug_key;
CREATE UNIQUE INDEX product_slug_key ON product (slug) WHERE deleted_at IS NULL;

-- Who is blocked has no sessions and opens none.
ALTER TABLE users ADD COLUMN blocked_at timestamptz;

-- What the admin's lists and the summary walk along.
CREATE INDEX users_by_time ON users (created_at, id);
CREATE INDEX orders_by_time ON orders (created_at, id);
CREATE INDEX order_item_waiting ON order_item (order_id) WHERE status IN ('pending', 'unknown');
CREATE INDEX code_on_list ON code (offer_id, status, id);
CREATE INDEX code_of_batch ON code (batch_id, id);
CREATE INDEX audit_entry_of_subject ON audit_entry (subject, id);

CREATE TABLE support_message (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Who they say they are: the form is open to everybody, and nobody has checked.
  nickname text NOT NULL,
  user_id text NOT NULL,
  contact text NOT NULL DEFAULT '',
  message text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered')),
  note text NOT NULL DEFAULT '',
  answered_by int REFERENCES users,
  answered_at timestamptz,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX support_message_by_status ON support_message (status, id);
CREATE TRIGGER support_message_version BEFORE UPDATE ON support_message
  FOR EACH ROW EXECUTE FUNCTION count_version();
