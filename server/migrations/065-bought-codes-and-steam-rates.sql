-- Codes of the product that are not on the shelf are bought at a supplier, once they are sold.
ALTER TABLE product ADD COLUMN buys_on_demand boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT buys_on_demand OR kind = 'code');
-- When it was ordered, what the shelf lacked of it could be bought.
ALTER TABLE order_item ADD COLUMN is_on_demand boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT is_on_demand OR item_type = 'code');
-- Whether codes can be bought there, by the settings the store was last started with.
ALTER TABLE supplier_health ADD COLUMN sells_codes boolean NOT NULL DEFAULT false;
-- What is on its way of an offer, of which there is only so much at a time.
CREATE INDEX order_item_code_waiting ON order_item (offer_id)
  WHERE item_type = 'code' AND status IN ('pending', 'unknown');

-- Codes that a supplier sold to the shop one by one: a batch a place, until it is recalled.
ALTER TABLE code_batch ADD COLUMN supplier text, ADD CHECK (num_nulls(supplier, imported_by) > 0);
CREATE UNIQUE INDEX code_batch_of_supplier ON code_batch (product_id, region_id, supplier) NULLS NOT DISTINCT
  WHERE supplier IS NOT NULL AND recalled_at IS NULL;

-- What a supplier reckons with for Steam: units of the currency for one USD, from when to when it said so.
CREATE TABLE steam_rate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier text NOT NULL,
  currency text NOT NULL CHECK (currency IN ('RUB', 'KZT')),
  rate numeric(20, 8) NOT NULL CHECK (rate > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX steam_rate_of ON steam_rate (currency, id);
-- The one that a typed amount was converted to USD by; none: the shop's own rate of it, which is among `rates`.
ALTER TABLE topup_target ADD COLUMN steam_rate_id bigint REFERENCES steam_rate,
  ADD CHECK (steam_rate_id IS NULL OR steam_currency <> 'usd');
