-- A top-up in the cart has its player. One for Steam has an amount and its product instead of an offer.
ALTER TABLE cart_item
  ALTER COLUMN offer_id DROP NOT NULL,
  ADD COLUMN product_id int REFERENCES product,
  ADD COLUMN service text CHECK (service IN ('freefire', 'pubg', 'steam')),
  ADD COLUMN account text CHECK (account <> ''),
  ADD COLUMN player_name text,
  ADD COLUMN steam_amount bigint CHECK (steam_amount > 0),
  ADD COLUMN steam_currency text CHECK (steam_currency IN ('usd', 'rub', 'kzt')),
  ADD CHECK ((offer_id IS NULL) = (product_id IS NOT NULL)),
  ADD CHECK ((service IS NULL) = (account IS NULL)),
  ADD CHECK (num_nulls(product_id, steam_amount, steam_currency) = CASE service WHEN 'steam' THEN 0 ELSE 3 END),
  DROP CONSTRAINT cart_item_user_id_offer_id_key,
  -- The same for the same player is one line.
  ADD UNIQUE NULLS NOT DISTINCT (user_id, offer_id, service, account, steam_currency, steam_amount);
