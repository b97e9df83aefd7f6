-- What a buyer says of one line of an order, which was delivered. It stays when the product is deleted or the line refunded.
CREATE TABLE review (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A second press finds the first one's row.
  order_item_id bigint NOT NULL UNIQUE REFERENCES order_item,
  product_id int NOT NULL REFERENCES product,
  user_id int NOT NULL REFERENCES users,
  stars smallint NOT NULL CHECK (stars BETWEEN 1 AND 5),
  text text NOT NULL CHECK (length(text) <= 1000),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When its writer last changed it.
  changed_at timestamptz,
  -- Its writer took it back, and the words with it.
  withdrawn_at timestamptz CHECK (withdrawn_at IS NULL OR text = ''),
  answer text CHECK (answer <> '' AND length(answer) <= 1000),
  answered_by int REFERENCES users,
  answered_at timestamptz,
  hidden_reason text CHECK (hidden_reason <> ''),
  hidden_by int REFERENCES users,
  hidden_at timestamptz,
  is_counted boolean NOT NULL GENERATED ALWAYS AS (hidden_at IS NULL AND withdrawn_at IS NULL) STORED,
  version int NOT NULL DEFAULT 1,
  CHECK ((answer IS NULL) = (answered_at IS NULL) AND (answer IS NULL) = (answered_by IS NULL)),
  CHECK ((hidden_reason IS NULL) = (hidden_at IS NULL) AND (hidden_reason IS NULL) = (hidden_by IS NULL))
);
CREATE INDEX review_shown ON review (product_id, id DESC) WHERE is_counted;
CREATE INDEX review_waiting ON review (id) WHERE is_counted AND (answered_at IS NULL OR answered_at < changed_at);
CREATE TRIGGER review_version BEFORE UPDATE ON review FOR EACH ROW EXECUTE FUNCTION count_version();

-- The reviews of a product that count, added up in the transaction that writes one, so that no page does.
CREATE TABLE product_rating (
  product_id int PRIMARY KEY REFERENCES product,
  reviews int NOT NULL DEFAULT 0 CHECK (reviews >= 0),
  stars bigint NOT NULL DEFAULT 0,
  CHECK (stars BETWEEN reviews AND 5 * reviews)
);
