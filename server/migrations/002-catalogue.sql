CREATE TABLE region (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  code text NOT NULL UNIQUE,
  flag text NOT NULL DEFAULT '',
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE product (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  kind text NOT NULL CHECK (kind IN ('code', 'topup')),
  category text[] NOT NULL DEFAULT '{}',
  keywords text[] NOT NULL DEFAULT '{}',
  game_currency text NOT NULL,
  image_url text NOT NULL DEFAULT '',
  supports_code_generation boolean NOT NULL DEFAULT false,
  code_prefix text,
  is_active boolean NOT NULL DEFAULT true,
  -- A deleted product stays for the receipts that name it.
  deleted_at timestamptz,
  position int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE product_text (
  product_id int NOT NULL REFERENCES product,
  language text NOT NULL CHECK (language IN ('ru', 'en', 'uz')),
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  activation_instructions text NOT NULL DEFAULT '',
  PRIMARY KEY (product_id, language)
);

CREATE TABLE product_region (
  product_id int NOT NULL REFERENCES product,
  region_id int NOT NULL REFERENCES region,
  -- Blank means the product's own game currency.
  game_currency text,
  PRIMARY KEY (product_id, region_id)
);

-- The purchasable unit: the specification's package, denomination and offer. No region means everywhere.
CREATE TABLE offer (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id int NOT NULL REFERENCES product,
  region_id int REFERENCES region,
  game_amount int NOT NULL CHECK (game_amount > 0),
  price_usd bigint NOT NULL CHECK (price_usd > 0),
  price_rub bigint NOT NULL CHECK (price_rub > 0),
  price_version int NOT NULL DEFAULT 1,
  is_popular boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (product_id, region_id, game_amount)
);

-- Every price an offer ever had, so that an order can prove the one it charged.
CREATE TABLE offer_price (
  offer_id int NOT NULL REFERENCES offer,
  version int NOT NULL,
  price_usd bigint NOT NULL,
  price_rub bigint NOT NULL,
  valid_from timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (offer_id, version)
);
CREATE TRIGGER offer_price_append_only BEFORE UPDATE OR DELETE ON offer_price
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER offer_price_keep BEFORE TRUNCATE ON offer_price EXECUTE FUNCTION refuse_change();

CREATE FUNCTION count_price_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.price_version := OLD.price_version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER offer_new_price BEFORE UPDATE ON offer FOR EACH ROW
  WHEN ((OLD.price_usd, OLD.price_rub) IS DISTINCT FROM (NEW.price_usd, NEW.price_rub))
  EXECUTE FUNCTION count_price_version();

CREATE FUNCTION keep_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offer_price (offer_id, version, price_usd, price_rub)
  VALUES (NEW.id, NEW.price_version, NEW.price_usd, NEW.price_rub);
  RETURN NULL;
END $$;
CREATE TRIGGER offer_first_price AFTER INSERT ON offer FOR EACH ROW EXECUTE FUNCTION keep_price();
CREATE TRIGGER offer_later_price AFTER UPDATE ON offer FOR EACH ROW
  WHEN (OLD.price_version <> NEW.price_version) EXECUTE FUNCTION keep_price();

CREATE TABLE promotion (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  background_color text NOT NULL CHECK (background_color ~ '^#[0-9a-fA-F]{6}$'),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE promotion_text (
  promotion_id int NOT NULL REFERENCES promotion ON DELETE CASCADE,
  language text NOT NULL CHECK (language IN ('ru', 'en', 'uz')),
  text text NOT NULL,
  PRIMARY KEY (promotion_id, language)
);
