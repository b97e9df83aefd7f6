-- A call that asks a vendor in its middle can't be one transaction: what it began, until it has an answer.
ALTER TABLE idempotent_call ADD COLUMN started text;

-- A customer has one cart, and it waits for one payment at a time.
CREATE UNIQUE INDEX order_awaiting_payment ON orders (user_id)
  WHERE status = 'awaiting_payment' AND cart_version IS NOT NULL;

-- How orders and items came to their status: a row for each change, of the order itself where no item is named.
CREATE TABLE status_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  order_item_id bigint REFERENCES order_item,
  was text NOT NULL,
  became text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX status_change_of_order ON status_change (order_id);
CREATE TRIGGER status_change_append_only BEFORE UPDATE OR DELETE ON status_change
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER status_change_keep BEFORE TRUNCATE ON status_change EXECUTE FUNCTION refuse_change();

CREATE FUNCTION note_order_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO status_change (order_id, was, became) VALUES (NEW.id, OLD.status, NEW.status);
  RETURN NULL;
END $$;
CREATE TRIGGER orders_note_status AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION note_order_status();

CREATE FUNCTION note_item_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO status_change (order_id, order_item_id, was, became)
  VALUES (NEW.order_id, NEW.id, OLD.status, NEW.status);
  RETURN NULL;
END $$;
CREATE TRIGGER order_item_note_status AFTER UPDATE OF status ON order_item FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION note_item_status();

ALTER TABLE payment
  -- Somebody asks the provider to open it, and nobody else does until then.
  ADD COLUMN attempt_until timestamptz,
  -- When the provider was last asked how it stands.
  ADD COLUMN asked_at timestamptz,
  -- What the provider says was paid: mostly, but not always, what was asked for.
  ADD COLUMN paid_amount bigint CHECK (paid_amount >= 0),
  ADD COLUMN paid_currency text,
  ADD CHECK ((status = 'succeeded') = (paid_amount IS NOT NULL AND paid_currency IS NOT NULL)),
  -- A currency that no wallet holds is left to the operator.
  DROP CONSTRAINT payment_settled_to_check,
  ADD CHECK (settled_to IN ('order', 'wallet', 'operator'));

-- Money on its way back to a card: one call at the provider, sent with its key until the provider has answered.
CREATE TABLE card_refund (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id int NOT NULL REFERENCES payment,
  amount bigint NOT NULL CHECK (amount > 0),
  key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  -- The provider has it once it is `sent`; one that `failed` went to the wallet instead.
  status text NOT NULL DEFAULT 'sending' CHECK (status IN ('sending', 'sent', 'succeeded', 'failed')),
  provider_refund_id text,
  attempt_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (status NOT IN ('sent', 'succeeded') OR provider_refund_id IS NOT NULL)
);
CREATE INDEX card_refund_of_payment ON card_refund (payment_id);
CREATE INDEX card_refund_undecided ON card_refund (id) WHERE status IN ('sending', 'sent');
ALTER TABLE refund ADD COLUMN card_refund_id int REFERENCES card_refund,
  ADD CHECK ((destination = 'card') <= (card_refund_id IS NOT NULL));
CREATE INDEX refund_of_order ON refund (order_id);

-- The books of the sandbox, a payment provider for trying things out. The store itself reads none of it.
CREATE TABLE sandbox_payment (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The key it was asked for with; a second charge for it has the same.
  key uuid NOT NULL,
  is_second_charge boolean NOT NULL DEFAULT false,
  order_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  description text NOT NULL,
  return_url text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'succeeded', 'canceled')),
  -- When a processing one succeeds.
  succeeds_at timestamptz CHECK ((status = 'processing') <= (succeeds_at IS NOT NULL)),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (key, is_second_charge)
);
CREATE TABLE sandbox_refund (
  key uuid PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES sandbox_payment,
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_refund_of_payment ON sandbox_refund (payment_id);
