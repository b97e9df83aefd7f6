-- How much of one currency one of another is. `rate` is a decimal, never a float on its way.
CREATE TABLE currency_rate (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_currency text NOT NULL,
  to_currency text NOT NULL CHECK (to_currency <> from_currency),
  rate numeric(20, 8) NOT NULL CHECK (rate > 0),
  source text NOT NULL,
  auto_update boolean NOT NULL DEFAULT true,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- A new rate that jumped too far: waits for an admin, while `rate` stays in force.
  held_rate numeric(20, 8) CHECK (held_rate > 0),
  held_at timestamptz,
  CHECK ((held_rate IS NULL) = (held_at IS NULL)),
  UNIQUE (from_currency, to_currency)
);
INSERT INTO currency_rate (from_currency, to_currency, rate, source) VALUES
  ('USD', 'RUB', 80, 'fixed'), ('USD', 'KZT', 520, 'fixed'), ('USD', 'UZS', 12000, 'fixed');

-- Every rate that was ever in force.
CREATE TABLE currency_rate_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  rate_id int NOT NULL REFERENCES currency_rate,
  rate numeric(20, 8) NOT NULL,
  source text NOT NULL,
  made_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX currency_rate_history_of ON currency_rate_history (rate_id, id);
INSERT INTO currency_rate_history (rate_id, rate, source) SELECT id, rate, source FROM currency_rate;
CREATE TRIGGER currency_rate_history_append_only BEFORE UPDATE OR DELETE ON currency_rate_history
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER currency_rate_history_keep BEFORE TRUNCATE ON currency_rate_history EXECUTE FUNCTION refuse_change();

-- One row: how rates are kept.
CREATE TABLE currency_settings (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  auto_update boolean NOT NULL DEFAULT true,
  update_time time NOT NULL DEFAULT '09:00',
  -- None: what the environment says (TIMEZONE, RATES_SOURCE).
  timezone text,
  source text CHECK (source IN ('cbr', 'cbu', 'fixed')),
  max_jump_percent numeric(5, 2) NOT NULL DEFAULT 10 CHECK (max_jump_percent > 0),
  markup_percent numeric(5, 2) NOT NULL DEFAULT 0 CHECK (markup_percent >= 0),
  last_run_at timestamptz,
  last_error text
);
INSERT INTO currency_settings DEFAULT VALUES;
