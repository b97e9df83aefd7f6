-- What came of comparing one day of a provider with the books, the latest time it was done.
CREATE TABLE payment_reconciliation (
  -- In the time zone of the shop.
  day date NOT NULL,
  provider text NOT NULL,
  state text NOT NULL CHECK (state IN ('equal', 'different', 'not_compared', 'cabinet_only')),
  -- Why something could not be compared, in the provider's words or the store's.
  why text CHECK (state <> 'not_compared' OR why IS NOT NULL),
  -- The provider listed its payments, or was asked for each one of ours, or has only a cabinet to look at.
  asked text NOT NULL CHECK (asked IN ('list', 'each', 'nothing')),
  -- Whether the day was over, so that nothing could be added to it.
  is_over boolean NOT NULL,
  -- By currency: how many payments there were and how much they came to, there and here, in minor units.
  totals jsonb NOT NULL,
  -- The first of them, and how many there are.
  differences jsonb NOT NULL,
  difference_count int NOT NULL CHECK (difference_count >= 0),
  made_at timestamptz NOT NULL DEFAULT now(),
  made_by int REFERENCES users,
  origin text NOT NULL CHECK (origin IN ('admin', 'command', 'job')),
  PRIMARY KEY (day, provider),
  CHECK ((state = 'different') <= (difference_count > 0))
);
-- What came on a day, by provider.
CREATE INDEX payment_settled ON payment (provider, settled_at, id) WHERE status = 'succeeded';
CREATE INDEX payment_by_day ON payment (provider, created_at, id) WHERE status <> 'succeeded';
CREATE INDEX card_refund_by_day ON card_refund (created_at, id);
