-- What could be chosen at the supplier when the fields of the product were last brought in line with it, by the shop's
-- keys: {"server": ["asia", "europe"]}. Null: never.
ALTER TABLE product_service ADD COLUMN options jsonb;
