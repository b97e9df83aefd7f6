-- Coupons, and what each took off which order: docs/coupons.md.
CREATE TABLE coupon (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- As it is shown; customers may type it in any case.
  code text NOT NULL CHECK (code ~ '^[A-Z0-9-]{3,32}$'),
  -- What it takes off: so many hundredths of a percent of each price, or an amount of the whole order.
  percent int CHECK (percent BETWEEN 1 AND 10000),
  amount_usd bigint CHECK (amount_usd > 0),
  amount_rub bigint CHECK (amount_rub > 0),
  -- Null: whatever the shop sells.
  product_ids int[] CHECK (cardinality(product_ids) > 0),
  -- The least that an order costs without it.
  least_usd bigint NOT NULL DEFAULT 0 CHECK (least_usd >= 0),
  least_rub bigint NOT NULL DEFAULT 0 CHECK (least_rub >= 0),
  is_first_order boolean NOT NULL DEFAULT false,
  -- How many orders it is for, in all and of one customer; null: any number.
  max_uses int CHECK (max_uses > 0),
  max_uses_each int CHECK (max_uses_each > 0),
  starts_at timestamptz,
  ends_at timestamptz CHECK (ends_at > starts_at),
  is_active boolean NOT NULL DEFAULT true,
  -- For the operators.
  note text NOT NULL DEFAULT '',
  -- The orders that have it, without those that expired.
  used int NOT NULL DEFAULT 0 CHECK (used >= 0),
  -- It was deleted; orders keep it.
  archived_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  version int NOT NULL DEFAULT 1,
  CHECK ((percent IS NULL) = (amount_usd IS NOT NULL)),
  CHECK ((amount_usd IS NULL) = (amount_rub IS NULL))
);
CREATE UNIQUE INDEX coupon_code ON coupon (code) WHERE archived_at IS NULL;
-- A use is no other version.
CREATE TRIGGER coupon_version BEFORE UPDATE ON coupon FOR EACH ROW WHEN (OLD.used = NEW.used)
  EXECUTE FUNCTION count_version();

-- The total, and the price of each item, are what is paid: without what the coupon took off.
ALTER TABLE orders ADD COLUMN coupon_id int REFERENCES coupon, ADD COLUMN discount bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT orders_discount_check
    CHECK (discount = 0 AND coupon_id IS NULL OR discount > 0 AND coupon_id IS NOT NULL) NOT VALID;
-- What the offer cost the shop when it was ordered with a coupon: the price is never less.
ALTER TABLE order_item ADD COLUMN unit_discount bigint NOT NULL DEFAULT 0, ADD COLUMN unit_floor bigint,
  ADD CONSTRAINT order_item_discount_check CHECK (unit_discount = 0
    OR unit_discount > 0 AND unit_price > 0 AND (unit_floor IS NULL OR unit_price >= unit_floor)) NOT VALID;

ALTER TABLE promotion ADD COLUMN coupon_id int REFERENCES coupon;
