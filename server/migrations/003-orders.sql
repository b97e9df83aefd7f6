-- One cart a user. Its version counts the changes the customer made; one version becomes at most one order.
CREATE TABLE cart (
  user_id int PRIMARY KEY REFERENCES users,
  version int NOT NULL DEFAULT 1
);

CREATE TABLE cart_item (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES cart,
  offer_id int NOT NULL REFERENCES offer,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 100),
  -- What the customer was last shown. Never charged: compared.
  seen_usd bigint NOT NULL,
  seen_rub bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, offer_id)
);

CREATE TABLE orders (
  id text PRIMARY KEY CHECK (id ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  user_id int NOT NULL REFERENCES users,
  cart_version int,
  currency text NOT NULL CHECK (currency IN ('USD', 'RUB')),
  total bigint NOT NULL CHECK (total > 0),
  status text NOT NULL CHECK (status IN
    ('pending', 'completed', 'awaiting_payment', 'expired', 'refunded', 'partially_refunded')),
  payment_method text NOT NULL CHECK (payment_method IN ('balance', 'card')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, cart_version)
);
CREATE INDEX orders_of_user ON orders (user_id, created_at DESC);

CREATE TABLE order_item (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  position smallint NOT NULL,
  item_type text NOT NULL CHECK (item_type IN ('code', 'topup')),
  offer_id int NOT NULL,
  price_version int NOT NULL,
  unit_price bigint NOT NULL CHECK (unit_price > 0),
  quantity int NOT NULL CHECK (quantity > 0),
  game_currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'unknown', 'refunded')),
  UNIQUE (order_id, position),
  FOREIGN KEY (offer_id, price_version) REFERENCES offer_price (offer_id, version)
);

-- Every user has a cart from the first moment on.
CREATE FUNCTION open_cart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cart (user_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER users_open_cart AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION open_cart();
