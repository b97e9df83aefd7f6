-- A game that is topped up is a product with rows: how its prices are made, whether a player is looked for, what the
-- customer has to say about the account. PUBG, Free Fire and Steam are the first three.
ALTER TABLE product
  ADD COLUMN pricing text NOT NULL DEFAULT 'offers' CHECK (pricing IN ('offers', 'combination', 'amount')),
  ADD COLUMN player_check text NOT NULL DEFAULT 'none' CHECK (player_check IN ('required', 'offered', 'none')),
  ADD COLUMN promised_minutes int NOT NULL DEFAULT 15 CHECK (promised_minutes BETWEEN 1 AND 10080),
  -- Amounts that the page offers as buttons, where packages are combined.
  ADD COLUMN presets int[] NOT NULL DEFAULT '{}' CHECK (cardinality(presets) <= 12);
UPDATE product SET pricing = 'combination', player_check = 'required', presets = '{385,720,1920}'
WHERE slug = 'pubg' AND kind = 'topup';
UPDATE product SET player_check = 'required' WHERE slug = 'freefire' AND kind = 'topup';
UPDATE product SET pricing = 'amount', player_check = 'offered' WHERE slug = 'steam' AND kind = 'topup';

-- What a customer fills in. A changed field is a new row, so that receipts of before still know its label and options.
CREATE TABLE account_field (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id int NOT NULL REFERENCES product,
  position smallint NOT NULL,
  key text NOT NULL CHECK (key ~ '^[a-z][a-z0-9_]{0,31}$'),
  type text NOT NULL CHECK (type IN ('digits', 'text', 'login', 'select', 'phone')),
  -- By language; `ru` is always there.
  label jsonb NOT NULL CHECK (label ->> 'ru' <> ''),
  hint jsonb NOT NULL DEFAULT '{}',
  pattern text NOT NULL DEFAULT '',
  length_min smallint NOT NULL DEFAULT 1 CHECK (length_min >= 0),
  length_max smallint NOT NULL DEFAULT 64 CHECK (length_max BETWEEN 1 AND 256),
  -- Of a select: [{"value": "os_asia", "label": {"ru": "Азия"}}].
  options jsonb NOT NULL DEFAULT '[]',
  is_required boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz,
  CHECK (length_min <= length_max),
  CHECK ((type = 'select') = (jsonb_array_length(options) > 0))
);
CREATE UNIQUE INDEX account_field_key ON account_field (product_id, key) WHERE retired_at IS NULL;
CREATE INDEX account_field_of_product ON account_field (product_id, key, id);

INSERT INTO account_field (product_id, position, key, type, label, hint, length_min, length_max, pattern)
SELECT product.id, 1, field.key, field.type, field.label::jsonb, field.hint::jsonb, 1, field.length_max, field.pattern
FROM product JOIN (VALUES
  ('pubg', 'player_id', 'digits', 32, '', '{"ru": "ID игрока", "en": "Player ID", "uz": "Oʻyinchi ID raqami"}', '{}'),
  ('freefire', 'player_id', 'digits', 32, '', '{"ru": "ID игрока", "en": "Player ID", "uz": "Oʻyinchi ID raqami"}', '{}'),
  ('steam', 'login', 'login', 64, '', '{"ru": "Логин Steam", "en": "Steam login", "uz": "Steam login"}', '{}'))
  AS field (slug, key, type, length_max, pattern, label, hint) ON field.slug = product.slug
WHERE product.kind = 'topup' AND product.deleted_at IS NULL;

-- The account of a top-up as data: {"user_id": "123", "zone_id": "2001"}. `account` is the text by which two are the same.
ALTER TABLE cart_item DROP CONSTRAINT cart_item_service_check, DROP CONSTRAINT cart_item_check2,
  ADD COLUMN account_fields jsonb,
  ADD CONSTRAINT cart_item_amount CHECK (num_nulls(product_id, steam_amount, steam_currency) IN (0, 3)) NOT VALID;
ALTER TABLE topup_target DROP CONSTRAINT topup_target_service_check, DROP CONSTRAINT topup_target_check,
  ADD COLUMN account_fields jsonb,
  ADD CONSTRAINT topup_target_amount CHECK (num_nulls(steam_amount, steam_currency, steam_usd, rates) IN (0, 4)) NOT VALID;
ALTER TABLE cart_item VALIDATE CONSTRAINT cart_item_amount;
ALTER TABLE topup_target VALIDATE CONSTRAINT topup_target_amount;

-- Lines that are older than the rule that a player's id does not begin with 0, beside a line with the same id.
WITH old AS (
  SELECT line.id, twin.id AS twin_id, line.quantity FROM cart_item AS line
  JOIN cart_item AS twin ON twin.user_id = line.user_id AND twin.service = line.service AND twin.offer_id = line.offer_id
    AND twin.account = ltrim(left(line.account, -1), '0') || right(line.account, 1)
  WHERE line.service IN ('freefire', 'pubg') AND line.account LIKE '0_%'),
joined AS (
  UPDATE cart_item SET quantity = least(100, cart_item.quantity + old.quantity) FROM old WHERE cart_item.id = old.twin_id)
DELETE FROM cart_item USING old WHERE cart_item.id = old.id;

-- Until when each unit is promised: by its product, as it was when it was sold.
ALTER TABLE delivery ADD COLUMN promised_minutes int NOT NULL DEFAULT 15;

-- A game as a supplier has it: its own name there, the name under which it looks for players, how the shop's fields are
-- called there ({"user_id": "userid"}), and the fields as the supplier describes them.
CREATE TABLE supplier_service (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier text NOT NULL,
  reference text NOT NULL,
  title text NOT NULL,
  check_reference text,
  field_names jsonb NOT NULL DEFAULT '{}',
  fields jsonb NOT NULL DEFAULT '[]',
  seen_at timestamptz NOT NULL DEFAULT now(),
  gone_at timestamptz,
  UNIQUE (supplier, reference)
);
-- Which of the shop's products is that game.
CREATE TABLE product_service (
  product_id int NOT NULL REFERENCES product,
  service_id bigint NOT NULL REFERENCES supplier_service,
  PRIMARY KEY (product_id, service_id)
);

-- What a supplier sells: written by the sync only.
CREATE TABLE supplier_product (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier text NOT NULL,
  -- What an order names there.
  reference text NOT NULL,
  service_id bigint REFERENCES supplier_service,
  kind text NOT NULL CHECK (kind IN ('topup', 'code')),
  name text NOT NULL,
  cost numeric(20, 8) NOT NULL CHECK (cost > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3,5}$'),
  -- Null: it does not say.
  stock int CHECK (stock >= 0),
  quantity_min int,
  quantity_max int,
  region text,
  seen_at timestamptz NOT NULL DEFAULT now(),
  cost_changed_at timestamptz NOT NULL DEFAULT now(),
  gone_at timestamptz,
  UNIQUE (supplier, reference)
);
CREATE INDEX supplier_product_of_service ON supplier_product (service_id);

-- Who delivers an offer, in which order. An offer without any is asked of every supplier of the shop, in the shop's order,
-- under its `item_id`.
CREATE TABLE offer_source (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  offer_id int NOT NULL REFERENCES offer,
  kind text NOT NULL CHECK (kind IN ('pool', 'supplier', 'operator')),
  supplier_product_id bigint REFERENCES supplier_product,
  rank smallint NOT NULL,
  -- The most that one unit may cost here, in USD, besides what the price allows.
  cost_at_most numeric(20, 8) CHECK (cost_at_most > 0),
  is_on boolean NOT NULL DEFAULT true,
  -- Why the sync closed it, which only the sync or an operator opens again.
  closed_reason text CHECK (closed_reason IN ('gone', 'cost_moved')),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'supplier') = (supplier_product_id IS NOT NULL)),
  UNIQUE NULLS NOT DISTINCT (offer_id, kind, supplier_product_id)
);
CREATE INDEX offer_source_of_product ON offer_source (supplier_product_id) WHERE supplier_product_id IS NOT NULL;

-- The games that were known so far, under the names their suppliers have for them.
WITH known (supplier, reference, title, check_reference, slug) AS (VALUES
  ('fazercards', 'pubg_mobile_auto', 'PUBG Mobile', 'pubg_mobile', 'pubg'),
  ('fazercards', 'free_fire_cis', 'Free Fire CIS', 'free_fire', 'freefire'),
  ('fazercards', 'steam', 'Steam', 'steam', 'steam'),
  ('g2bulk', 'pubgm', 'PUBG Mobile', 'pubgm', 'pubg'),
  ('g2bulk', 'freefire_global', 'Free Fire', 'freefire_global', 'freefire')),
added AS (
  INSERT INTO supplier_service (supplier, reference, title, check_reference)
  SELECT supplier, reference, title, check_reference FROM known RETURNING id, supplier, reference)
INSERT INTO product_service (product_id, service_id)
SELECT product.id, added.id FROM added JOIN known USING (supplier, reference)
JOIN product ON product.slug = known.slug AND product.kind = 'topup' AND product.deleted_at IS NULL;
