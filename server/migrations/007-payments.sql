-- An unpaid card order holds its codes until then.
ALTER TABLE orders ADD COLUMN expires_at timestamptz,
  ADD CHECK ((status = 'awaiting_payment') <= (expires_at IS NOT NULL));
CREATE INDEX orders_awaiting_payment ON orders (expires_at) WHERE status = 'awaiting_payment';

-- Until it is paid for, nothing of an item is delivered, and an expired order's item never is.
ALTER TABLE order_item DROP CONSTRAINT order_item_status_check,
  ADD CHECK (status IN ('awaiting_payment', 'pending', 'delivered', 'unknown', 'refunded', 'expired'));

-- A code that is reserved, and for which item. Gone once it is sold or put back.
CREATE TABLE code_hold (
  code_id bigint PRIMARY KEY REFERENCES code,
  order_item_id bigint NOT NULL REFERENCES order_item
);
CREATE INDEX code_hold_of_item ON code_hold (order_item_id);

-- A refunded code that nobody has seen goes back on the shelf and may be sold again: its next sale has the next number.
ALTER TABLE code ADD COLUMN sale_number smallint NOT NULL DEFAULT 1;
ALTER TABLE code_sale ADD COLUMN sale_number smallint NOT NULL DEFAULT 1;
ALTER TABLE code_sale DROP CONSTRAINT code_sale_pkey, ADD PRIMARY KEY (code_id, sale_number);
CREATE TABLE code_return (
  code_id bigint NOT NULL,
  sale_number smallint NOT NULL,
  -- Seen by the customer before: never sold again.
  is_quarantined boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (code_id, sale_number),
  FOREIGN KEY (code_id, sale_number) REFERENCES code_sale
);
CREATE TRIGGER code_return_append_only BEFORE UPDATE OR DELETE ON code_return
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER code_return_keep BEFORE TRUNCATE ON code_return EXECUTE FUNCTION refuse_change();

-- One attempt to pay an order by card.
CREATE TABLE payment (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  provider text NOT NULL,
  -- Sent with every attempt to open it at the provider: the provider opens one.
  key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency IN ('USD', 'RUB')),
  status text NOT NULL DEFAULT 'opening' CHECK (status IN ('opening', 'open', 'succeeded', 'canceled')),
  provider_payment_id text,
  pay_url text,
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  -- Where the money went: the order it was for, or the customer's wallet when the order could not have it.
  settled_to text CHECK (settled_to IN ('order', 'wallet')),
  CHECK ((status = 'succeeded') = (settled_to IS NOT NULL)),
  CHECK (status IN ('opening', 'canceled') OR provider_payment_id IS NOT NULL),
  UNIQUE (provider, provider_payment_id)
);
CREATE INDEX payment_of_order ON payment (order_id);
CREATE INDEX payment_undecided ON payment (created_at) WHERE status IN ('opening', 'open');

-- What a provider told us, once each.
CREATE TABLE payment_event (
  provider text NOT NULL,
  event_key text NOT NULL,
  payment_id int NOT NULL REFERENCES payment,
  status text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, event_key)
);

-- Money given back for an order item, or for the whole order.
CREATE TABLE refund (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  order_item_id bigint NOT NULL UNIQUE REFERENCES order_item,
  amount bigint NOT NULL CHECK (amount > 0),
  destination text NOT NULL CHECK (destination IN ('wallet', 'card')),
  reason text NOT NULL,
  made_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- What went wrong and waits for an operator.
CREATE TABLE alert (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz
);
CREATE UNIQUE INDEX alert_open_once ON alert (kind, subject) WHERE resolved_at IS NULL;
