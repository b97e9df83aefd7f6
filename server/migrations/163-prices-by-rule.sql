-- A price is typed, or made by the nearest rule from what the offer costs: docs/prices.md.
CREATE TABLE price_rule (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- `amount` is the commission of top-ups that are priced by amount.
  scope text NOT NULL CHECK (scope IN ('shop', 'amount', 'category', 'product', 'offer')),
  category text CHECK (category <> ''),
  product_id int REFERENCES product,
  offer_id int REFERENCES offer,
  margin_percent numeric(6, 2) NOT NULL CHECK (margin_percent BETWEEN 0 AND 1000),
  -- The least margin, in minor units of each currency.
  least_usd bigint NOT NULL DEFAULT 0 CHECK (least_usd >= 0),
  least_rub bigint NOT NULL DEFAULT 0 CHECK (least_rub >= 0),
  -- What the payment takes of the price.
  payment_percent numeric(4, 2) NOT NULL DEFAULT 0 CHECK (payment_percent BETWEEN 0 AND 50),
  rounding_usd text NOT NULL DEFAULT 'hundredth' CHECK (rounding_usd IN ('hundredth', 'ninety_nine', 'whole', 'tens')),
  rounding_rub text NOT NULL DEFAULT 'hundredth' CHECK (rounding_rub IN ('hundredth', 'ninety_nine', 'whole', 'tens')),
  version int NOT NULL DEFAULT 1,
  -- Null when the shop itself did it.
  changed_by int REFERENCES users,
  changed_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CHECK ((scope = 'category') = (category IS NOT NULL)),
  CHECK ((scope = 'product') = (product_id IS NOT NULL)),
  CHECK ((scope = 'offer') = (offer_id IS NOT NULL)),
  -- Nothing is left to be priced by, without these two.
  CHECK (scope NOT IN ('shop', 'amount') OR deleted_at IS NULL)
);
CREATE UNIQUE INDEX price_rule_target ON price_rule (scope, category, product_id, offer_id)
  NULLS NOT DISTINCT WHERE deleted_at IS NULL;
CREATE TRIGGER price_rule_version BEFORE UPDATE ON price_rule FOR EACH ROW EXECUTE FUNCTION count_version();

-- Every version of every rule, so that a price can be explained afterwards.
CREATE TABLE price_rule_version (
  rule_id int NOT NULL REFERENCES price_rule,
  version int NOT NULL,
  margin_percent numeric(6, 2) NOT NULL,
  least_usd bigint NOT NULL,
  least_rub bigint NOT NULL,
  payment_percent numeric(4, 2) NOT NULL,
  rounding_usd text NOT NULL,
  rounding_rub text NOT NULL,
  is_deleted boolean NOT NULL,
  changed_by int REFERENCES users,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (rule_id, version)
);
CREATE TRIGGER price_rule_version_append_only BEFORE UPDATE OR DELETE ON price_rule_version
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER price_rule_version_keep BEFORE TRUNCATE ON price_rule_version EXECUTE FUNCTION refuse_change();
CREATE FUNCTION keep_price_rule() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO price_rule_version (rule_id, version, margin_percent, least_usd, least_rub, payment_percent, rounding_usd,
    rounding_rub, is_deleted, changed_by, changed_at)
  VALUES (NEW.id, NEW.version, NEW.margin_percent, NEW.least_usd, NEW.least_rub, NEW.payment_percent, NEW.rounding_usd,
    NEW.rounding_rub, NEW.deleted_at IS NOT NULL, NEW.changed_by, NEW.changed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER price_rule_keep AFTER INSERT OR UPDATE ON price_rule FOR EACH ROW EXECUTE FUNCTION keep_price_rule();

INSERT INTO price_rule (scope, margin_percent, rounding_rub) VALUES ('shop', 10, 'whole');
INSERT INTO price_rule (scope, margin_percent) VALUES ('amount', 3);

ALTER TABLE offer
  ADD COLUMN price_mode text NOT NULL DEFAULT 'fixed' CHECK (price_mode IN ('fixed', 'rule')),
  -- What it costs, or the price it is reckoned from, where no open source says so.
  ADD COLUMN base_cost numeric(20, 8) CHECK (base_cost > 0),
  ADD COLUMN base_currency text CHECK (base_currency ~ '^[A-Z]{3,5}$'),
  -- What it costs in minor units at the rates in force when it was last priced; null while that is unknown.
  ADD COLUMN floor_usd bigint,
  ADD COLUMN floor_rub bigint,
  -- Up to which floor an admin has agreed to sell under it.
  ADD COLUMN agreed_usd bigint,
  ADD COLUMN agreed_rub bigint,
  -- Since when the shop keeps it off sale because its price is under its floor.
  ADD COLUMN under_floor_since timestamptz,
  ADD CHECK ((base_cost IS NULL) = (base_currency IS NULL)),
  ADD CHECK ((floor_usd IS NULL) = (floor_rub IS NULL)),
  ADD CHECK (under_floor_since IS NULL OR NOT is_active);
CREATE INDEX offer_under_floor ON offer (id) WHERE under_floor_since IS NOT NULL;

CREATE FUNCTION is_under_floor(price bigint, floor bigint, agreed bigint) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN coalesce(price < floor AND floor > coalesce(agreed, 0), false);
ALTER TABLE offer ADD CONSTRAINT offer_floor CHECK (NOT is_active OR NOT (
  is_under_floor(price_usd, floor_usd, agreed_usd) OR is_under_floor(price_rub, floor_rub, agreed_rub)));

-- Prices that a rule makes and that moved too far: they wait for an admin.
CREATE TABLE pending_price (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  offer_id int NOT NULL REFERENCES offer,
  was_usd bigint NOT NULL,
  was_rub bigint NOT NULL,
  price_usd bigint NOT NULL CHECK (price_usd > 0),
  price_rub bigint NOT NULL CHECK (price_rub > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- `superseded`: another price is wanted since, or none.
  decision text CHECK (decision IN ('approved', 'rejected', 'superseded')),
  decided_at timestamptz,
  decided_by int REFERENCES users,
  CHECK ((decision IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX pending_price_open ON pending_price (offer_id) WHERE decided_at IS NULL;

-- Half of each page is left for the next version of its rows, so that another price of every offer touches no index.
ALTER TABLE offer SET (fillfactor = 45);

-- A hundred thousand offers that are priced by one statement keep their prices by one statement, too. An offer is written
-- without another price as often: its version is there already.
CREATE FUNCTION keep_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offer_price (offer_id, version, price_usd, price_rub, item_id)
  SELECT id, price_version, price_usd, price_rub, item_id FROM changed ON CONFLICT (offer_id, version) DO NOTHING;
  RETURN NULL;
END $$;
DROP TRIGGER offer_later_price ON offer;
CREATE TRIGGER offer_later_price AFTER UPDATE ON offer REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_prices();

-- The version of the rule whose commission an amount was sold with. Null for those that were sold at three percent, before
-- that was a rule.
ALTER TABLE topup_target ADD COLUMN rule_id int, ADD COLUMN rule_version int,
  ADD CONSTRAINT topup_target_rule CHECK (num_nulls(rule_id, rule_version) IN (0, 2));
