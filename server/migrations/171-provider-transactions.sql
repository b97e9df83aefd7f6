-- What a provider that asks began in the store's books: its repeats are answered from here, with one and the same times.
CREATE TABLE provider_transaction (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  -- The provider's id of it.
  external_id text NOT NULL,
  payment_id bigint NOT NULL REFERENCES payment,
  -- In minor units of what is charged.
  amount bigint NOT NULL CHECK (amount > 0),
  -- When it was begun, by the provider's clock and by the store's.
  at timestamptz NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  performed_at timestamptz,
  -- With performed_at, its money went back.
  canceled_at timestamptz,
  -- The provider's word for why it was canceled.
  reason text,
  UNIQUE (provider, external_id),
  CHECK ((reason IS NULL) = (canceled_at IS NULL))
);
-- One at a time is under way for a payment.
CREATE UNIQUE INDEX provider_transaction_live ON provider_transaction (payment_id) WHERE canceled_at IS NULL;
CREATE INDEX provider_transaction_of_payment ON provider_transaction (payment_id);
CREATE INDEX provider_transaction_by_time ON provider_transaction (provider, at, id);
