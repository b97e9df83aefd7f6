-- A receipt that its owner shares: who has its link and its PIN reads the codes of one order. Both are kept as digests,
-- that of the PIN with the link in it: who reads the database can try no PINs. An order has one link at a time.
CREATE TABLE shared_receipt (
  order_id text PRIMARY KEY REFERENCES orders,
  link_digest bytea NOT NULL UNIQUE,
  pin_digest bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  wrong_pins smallint NOT NULL DEFAULT 0,
  openings smallint NOT NULL DEFAULT 0,
  opened_at timestamptz,
  CHECK ((openings = 0) = (opened_at IS NULL))
);

-- What was shown past a link is written down each time, in the name of who shared it.
ALTER TABLE code_reveal DROP CONSTRAINT code_reveal_place_check,
  ADD CONSTRAINT code_reveal_place_check CHECK (place IN ('receipt', 'admin', 'link')) NOT VALID;
