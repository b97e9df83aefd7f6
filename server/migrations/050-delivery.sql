-- One unit of a top-up on its way to its player.
CREATE TABLE delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_item_id bigint NOT NULL REFERENCES order_item,
  unit smallint NOT NULL CHECK (unit > 0),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'done', 'rejected', 'unknown')),
  -- Counts the workers that took it on. One that holds an older number comes too late, and writes nothing.
  attempt int NOT NULL DEFAULT 0,
  -- Until then it is a worker's; if the worker is not heard of, another one goes on.
  held_until timestamptz,
  -- When to look at it next. None: it is over, or the operator's alone.
  next_at timestamptz DEFAULT now(),
  -- How often the supplier was asked in vain since it last did something new.
  look_ups int NOT NULL DEFAULT 0,
  -- Since when an operator has to look at it.
  operator_since timestamptz,
  -- What last went wrong.
  reason text,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  UNIQUE (order_item_id, unit),
  CHECK ((state IN ('done', 'rejected')) = (decided_at IS NOT NULL)),
  -- Whatever is not over has a next step.
  CHECK ((state IN ('done', 'rejected')) = (next_at IS NULL AND operator_since IS NULL))
);
CREATE INDEX delivery_due ON delivery (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX delivery_by_state ON delivery (state, id);
CREATE INDEX delivery_of_operator ON delivery (operator_since) WHERE operator_since IS NOT NULL;
-- What the admin sees of it, not every look at it.
CREATE TRIGGER delivery_version BEFORE UPDATE ON delivery FOR EACH ROW
  WHEN ((OLD.state, OLD.operator_since) IS DISTINCT FROM (NEW.state, NEW.operator_since))
  EXECUTE FUNCTION count_version();

-- What a supplier is to do once for a delivery, under one key, however often it is called.
CREATE TABLE supplier_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES delivery,
  supplier text NOT NULL,
  key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  -- The code of the pool that is redeemed for the player.
  code_id bigint REFERENCES code,
  -- `given_up`: an operator decided without knowing what the supplier did.
  state text NOT NULL DEFAULT 'sent' CHECK (state IN ('sent', 'done', 'rejected', 'unknown', 'given_up')),
  -- The supplier's own name for it.
  supplier_order_id text,
  reason text,
  -- The last time it was submitted.
  sent_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (supplier, supplier_order_id)
);
CREATE INDEX supplier_order_of_delivery ON supplier_order (delivery_id, id);
-- Nobody else is asked while one may have done it.
CREATE UNIQUE INDEX supplier_order_alone ON supplier_order (delivery_id) WHERE state <> 'rejected';

-- What a supplier was asked about an order, written before it was asked, and what came of it.
CREATE TABLE supplier_call (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier_order_id bigint NOT NULL REFERENCES supplier_order,
  kind text NOT NULL CHECK (kind IN ('submit', 'look_up')),
  -- None: nobody came back with one.
  outcome text CHECK (outcome IN ('done', 'pending', 'rejected', 'not_found', 'unknown')),
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  CHECK ((outcome IS NULL) = (ended_at IS NULL))
);
CREATE INDEX supplier_call_of_order ON supplier_call (supplier_order_id, id);

-- What a supplier told by itself, once each.
CREATE TABLE supplier_event (
  supplier text NOT NULL,
  event_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (supplier, event_key)
);

-- How a supplier is, as all nodes see it.
CREATE TABLE supplier_health (
  supplier text PRIMARY KEY,
  -- Submits without a clear answer, in a row.
  failures int NOT NULL DEFAULT 0,
  -- Nothing new is sent to it until then; afterwards one order tries.
  out_until timestamptz,
  last_answer_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  -- What the shop has left there, in hundredths.
  balance bigint,
  balance_currency text,
  balance_at timestamptz,
  CHECK ((balance IS NULL) = (balance_currency IS NULL) AND (balance IS NULL) = (balance_at IS NULL))
);

-- A unit that nobody could deliver is given back by itself; the item as a whole at most once besides.
ALTER TABLE refund DROP CONSTRAINT refund_order_item_id_key,
  ADD COLUMN delivery_id bigint UNIQUE REFERENCES delivery;
CREATE UNIQUE INDEX refund_of_item ON refund (order_item_id) WHERE delivery_id IS NULL;
CREATE INDEX refund_by_item ON refund (order_item_id);

-- Tells every node of an order that moved, for those who look at it: '<user> <order>'.
CREATE FUNCTION tell_of_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('order', user_id || ' ' || id) FROM orders WHERE id = NEW.order_id;
  RETURN NULL;
END $$;
CREATE TRIGGER status_change_tell AFTER INSERT ON status_change FOR EACH ROW EXECUTE FUNCTION tell_of_status();

-- The books of the sandbox, a supplier for trying things out. The store itself reads none of it.
CREATE TABLE sandbox_topup (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key uuid NOT NULL UNIQUE,
  service text NOT NULL,
  account text NOT NULL,
  item text NOT NULL,
  -- `lost`: it never got the order, or so it looks.
  status text NOT NULL CHECK (status IN ('pending', 'done', 'failed', 'lost')),
  -- When a pending one is done.
  done_at timestamptz CHECK ((status = 'pending') <= (done_at IS NOT NULL)),
  -- How often it told the shop that it is done.
  told int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_topup_pending ON sandbox_topup (done_at) WHERE told = 0;
-- Each time something really arrived at a player.
CREATE TABLE sandbox_execution (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key uuid NOT NULL,
  account text NOT NULL,
  item text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_execution_of_account ON sandbox_execution (account);
