-- A filling is an order of money for its buyer's own balance: it has no items, is paid past the balance, and what is paid for it
-- goes to the wallet. It never has been a cart.
ALTER TABLE orders
  ADD COLUMN purpose text NOT NULL DEFAULT 'goods' CHECK (purpose IN ('goods', 'balance')),
  ADD CONSTRAINT orders_filling_check CHECK (purpose = 'goods' OR (payment_method = 'card' AND num_nonnulls(cart_version, topup_key) = 0
    AND status IN ('awaiting_payment', 'completed', 'expired')));
CREATE INDEX orders_fillings ON orders (user_id, created_at DESC, id) WHERE purpose = 'balance';
CREATE INDEX orders_fillings_by_time ON orders (created_at) WHERE purpose = 'balance';

-- One row: whether customers may fill their balance, and with how much at a time, in minor units. They may not, to begin with.
CREATE TABLE filling_settings (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  is_on boolean NOT NULL DEFAULT false,
  least_usd bigint NOT NULL DEFAULT 100 CHECK (least_usd > 0),
  least_rub bigint NOT NULL DEFAULT 10000 CHECK (least_rub > 0),
  most_usd bigint NOT NULL DEFAULT 50000,
  most_rub bigint NOT NULL DEFAULT 5000000,
  version int NOT NULL DEFAULT 1,
  CHECK (least_usd <= most_usd),
  CHECK (least_rub <= most_rub)
);
CREATE TRIGGER filling_settings_version
  BEFORE UPDATE ON filling_settings FOR EACH ROW EXECUTE FUNCTION count_version();
INSERT INTO filling_settings DEFAULT VALUES;
