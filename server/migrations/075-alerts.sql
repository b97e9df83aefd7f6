-- An operator has taken a trouble on; it stays open until it is over, by itself or by an operator's word.
ALTER TABLE alert
  ADD COLUMN acknowledged_at timestamptz,
  ADD COLUMN acknowledged_by int REFERENCES users,
  ADD COLUMN resolved_by int REFERENCES users,
  ADD CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL)),
  ADD CHECK (resolved_by IS NULL OR resolved_at IS NOT NULL);

-- The admin's list: what is open first, the newest before.
CREATE INDEX alert_on_list ON alert ((resolved_at IS NULL), id);
