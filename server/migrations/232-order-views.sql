-- Filters of the list of orders that somebody keeps under a name, for oneself or for all colleagues.
CREATE TABLE order_view (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES users,
  name text NOT NULL CHECK (name <> ''),
  -- As the address of the list has them: {"status": "pending", "from": "2026-11-01"}.
  filters jsonb NOT NULL,
  is_shared boolean NOT NULL,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX order_view_name ON order_view (user_id, lower(name));
CREATE INDEX order_view_shared ON order_view (id) WHERE is_shared;
CREATE TRIGGER order_view_version BEFORE UPDATE ON order_view FOR EACH ROW EXECUTE FUNCTION count_version();
