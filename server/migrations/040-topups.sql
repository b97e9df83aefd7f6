ALTER TABLE offer
  -- What the supplier calls it; what the customer calls it, where that is more than an amount of the game's currency.
  ADD COLUMN item_id text CHECK (item_id <> ''),
  ADD COLUMN name text CHECK (name <> '');
CREATE UNIQUE INDEX offer_item_id ON offer (product_id, item_id) WHERE item_id IS NOT NULL;

-- Steam has no offers: the buyer names the amount, and such an item has the product alone.
ALTER TABLE order_item
  ALTER COLUMN offer_id DROP NOT NULL,
  ALTER COLUMN price_version DROP NOT NULL,
  ADD COLUMN product_id int REFERENCES product,
  ADD CHECK ((offer_id IS NULL) = (price_version IS NULL)),
  ADD CHECK ((offer_id IS NULL) = (product_id IS NOT NULL)),
  ADD CHECK (offer_id IS NOT NULL OR item_type = 'topup');

-- Whom a top-up goes to.
CREATE TABLE topup_target (
  order_item_id bigint PRIMARY KEY REFERENCES order_item,
  service text NOT NULL CHECK (service IN ('freefire', 'pubg', 'steam')),
  -- The player's id, or the Steam login.
  account text NOT NULL CHECK (account <> ''),
  -- As the supplier told it when the order was made.
  player_name text,
  -- What the buyer wanted to arrive, in minor units of `steam_currency`.
  steam_amount bigint CHECK (steam_amount > 0),
  steam_currency text CHECK (steam_currency IN ('usd', 'rub', 'kzt')),
  -- The same in cents, without commission: what is bought from the supplier.
  steam_usd bigint CHECK (steam_usd > 0),
  -- Units of each currency for one USD, as they were in force: {"RUB": "80.00000000"}.
  rates jsonb,
  CHECK (num_nulls(steam_amount, steam_currency, steam_usd, rates) = CASE service WHEN 'steam' THEN 0 ELSE 4 END)
);

-- What a top-up that was bought without a cart is: one player, and what of which offers. It stands where a cart's
-- order has its version, and is gone likewise once another order has taken the place of this one.
ALTER TABLE orders ADD COLUMN topup_key text, ADD CHECK (topup_key IS NULL OR cart_version IS NULL);
CREATE INDEX orders_of_topup ON orders (user_id, topup_key) WHERE topup_key IS NOT NULL;
CREATE UNIQUE INDEX topup_awaiting_payment ON orders (user_id, topup_key)
  WHERE status = 'awaiting_payment' AND topup_key IS NOT NULL;
