-- The books of each day that is over, so that the hourly proof adds up what came since: docs/decisions/051-closed-days-and-archives.md.
CREATE TABLE closed_day (
  -- In UTC.
  day date PRIMARY KEY,
  -- Where its books end. Ids and not times decide: every transaction that had drawn an id up to this one had ended.
  last_transfer bigint NOT NULL,
  transfers bigint NOT NULL CHECK (transfers >= 0),
  -- What its transfers moved, by kind of account, currency and kind of transfer.
  sums jsonb NOT NULL,
  -- Of all its transfers, in their order.
  digest bytea NOT NULL,
  -- The last id of other tables then: what has a higher one came later.
  marks jsonb NOT NULL,
  -- An HMAC over all of it and the seal of the day before, under a key that is not in the database.
  seal bytea NOT NULL,
  closed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER closed_day_append_only BEFORE UPDATE OR DELETE ON closed_day
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER closed_day_keep BEFORE TRUNCATE ON closed_day EXECUTE FUNCTION refuse_change();

-- What each account had when the last closed day ended.
CREATE TABLE closed_balance (
  account_id bigint PRIMARY KEY,
  balance bigint NOT NULL
);
