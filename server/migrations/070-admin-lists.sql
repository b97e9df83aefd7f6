-- The ledger as it last added up. One row: the proof page shows it, and the hourly look at the invariants writes it.
CREATE TABLE ledger_proof (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  -- What each kind of account held, in minor units: [{"kind", "currency", "balance"}].
  accounts jsonb NOT NULL,
  first_broken jsonb,
  proved_at timestamptz NOT NULL
);

-- What the dashboard adds up and the list of orders is filtered and sorted by, read from the index alone. A status that
-- changes moved the row in other indexes before.
DROP INDEX orders_by_time;
CREATE INDEX orders_by_time ON orders (created_at, id) INCLUDE (status, currency, total);

CREATE INDEX refund_by_time ON refund (created_at);

-- What a message is found by, in small letters.
ALTER TABLE support_message ADD COLUMN words text NOT NULL
  GENERATED ALWAYS AS (lower(nickname || ' ' || user_id || ' ' || contact || ' ' || message)) STORED;
CREATE INDEX support_message_by_nickname ON support_message (lower(nickname), id);

-- Whom a delivery is found by.
CREATE INDEX topup_target_account ON topup_target (account);

-- A rate may be changed by two admins, and by its source: who sends the version they saw is told when somebody was quicker.
ALTER TABLE currency_rate ADD COLUMN version int NOT NULL DEFAULT 1;
CREATE TRIGGER currency_rate_version BEFORE UPDATE ON currency_rate FOR EACH ROW EXECUTE FUNCTION count_version();
