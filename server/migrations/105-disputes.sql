-- What a cardholder's bank says against a payment: a dispute, or a warning that the card may be stolen.
CREATE TABLE dispute (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id int NOT NULL REFERENCES payment,
  order_id text NOT NULL REFERENCES orders,
  provider text NOT NULL,
  -- What the provider calls it, or the reference an operator has of it.
  provider_dispute_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('dispute', 'fraud_warning')),
  -- `inquiry`: the bank asks, and no money has moved; `closed`: it came to nothing.
  status text NOT NULL CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'closed')),
  -- What the provider is known to have done with the shop's money.
  funds text NOT NULL DEFAULT 'untouched' CHECK (funds IN ('untouched', 'withdrawn', 'reinstated')),
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  reason text NOT NULL,
  -- Until when evidence is taken.
  due_by timestamptz,
  -- When the provider said so: what is older does not undo it.
  told_at timestamptz NOT NULL,
  -- How often money went from or came back to the shop's card account because of it.
  transfers smallint NOT NULL DEFAULT 0,
  -- What each of them moves, split when the first is made: what the order had not given back by then, and the rest,
  -- which the shop pays twice. None while no money moved.
  covered bigint CHECK (covered >= 0),
  excess bigint CHECK (excess >= 0),
  -- The admin who wrote it down by hand.
  made_by int REFERENCES users,
  -- An operator let the buyer go on, whatever becomes of it.
  released_at timestamptz,
  released_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- What an order is marked with.
  flag text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN kind = 'dispute' THEN status WHEN status = 'open' THEN 'fraud_warning' ELSE 'closed' END) STORED,
  UNIQUE (provider, provider_dispute_id),
  CHECK ((transfers = 0) = (covered IS NULL) AND (transfers = 0) = (excess IS NULL)),
  CHECK (kind = 'dispute' OR transfers = 0 AND status IN ('open', 'closed')),
  CHECK ((released_at IS NULL) = (released_by IS NULL))
);
CREATE INDEX dispute_of_order ON dispute (order_id);
CREATE INDEX dispute_of_payment ON dispute (payment_id);
CREATE INDEX dispute_by_flag ON dispute (flag, order_id);

-- How a dispute came to what it is.
CREATE TABLE dispute_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dispute_id int NOT NULL REFERENCES dispute,
  status text NOT NULL,
  funds text NOT NULL,
  -- None: the provider said so.
  made_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX dispute_change_of_dispute ON dispute_change (dispute_id, id);
CREATE TRIGGER dispute_change_append_only BEFORE UPDATE OR DELETE ON dispute_change
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER dispute_change_keep BEFORE TRUNCATE ON dispute_change EXECUTE FUNCTION refuse_change();

-- The worst that is said against an order.
CREATE VIEW disputed_order AS
SELECT DISTINCT ON (order_id) order_id, flag FROM dispute
ORDER BY order_id, array_position(ARRAY['open', 'inquiry', 'lost', 'fraud_warning', 'won', 'closed'], flag);

-- What the shop lost to disputes: less than nothing, until a dispute is won.
ALTER TABLE account DROP CONSTRAINT account_kind_check,
  ADD CONSTRAINT account_kind_check CHECK (kind IN ('wallet', 'sales', 'adjustments', 'card', 'disputes'));
INSERT INTO account (kind, currency) SELECT 'disputes', currency FROM unnest(ARRAY['USD', 'RUB']) currency;
ALTER TABLE transfer DROP CONSTRAINT transfer_kind_check,
  ADD CONSTRAINT transfer_kind_check CHECK (kind IN
    ('purchase', 'refund', 'topup', 'adjustment', 'card', 'payout', 'chargeback', 'chargeback_reversal')) NOT VALID;

-- A unit that nobody has to deliver any more: the bank took its price back before the shop could.
ALTER TABLE refund ADD COLUMN by_chargeback boolean NOT NULL DEFAULT false;
