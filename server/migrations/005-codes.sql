-- Keys that encrypt codes and mark them, each wrapped by the SECRET_KEY of the installation.
CREATE TABLE vault_key (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('encryption', 'fingerprint')),
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Fingerprints are compared across all batches, so there is one key for them, for good.
CREATE UNIQUE INDEX one_fingerprint_key ON vault_key (purpose) WHERE purpose = 'fingerprint';

CREATE TABLE code_batch (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id int NOT NULL REFERENCES product,
  region_id int REFERENCES region,
  imported_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE SEQUENCE code_id AS bigint;
CREATE TABLE code (
  -- Drawn before the code is encrypted: the ciphertext is bound to it.
  id bigint PRIMARY KEY,
  offer_id int NOT NULL REFERENCES offer,
  batch_id int NOT NULL REFERENCES code_batch,
  key_id int NOT NULL REFERENCES vault_key,
  ciphertext bytea NOT NULL,
  fingerprint bytea NOT NULL UNIQUE,
  status text NOT NULL DEFAULT 'available'
    CHECK (status IN ('available', 'reserved', 'used', 'error', 'quarantined', 'archived')),
  -- The order codes are taken in. A column of its own, so that no plan walks the primary key past used codes.
  shelf bigint NOT NULL GENERATED ALWAYS AS (id) STORED,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX code_on_shelf ON code (offer_id, shelf) WHERE status = 'available';
CREATE INDEX code_of_key ON code (key_id);

-- A sale is a row of its own: a column that a second buyer could overwrite would hide a double sale.
CREATE TABLE code_sale (
  code_id bigint PRIMARY KEY REFERENCES code,
  order_item_id bigint NOT NULL REFERENCES order_item,
  position smallint NOT NULL CHECK (position > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_item_id, position)
);
CREATE TRIGGER code_sale_append_only BEFORE UPDATE OR DELETE ON code_sale
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER code_sale_keep BEFORE TRUNCATE ON code_sale EXECUTE FUNCTION refuse_change();

-- Who saw which code in plain text, written before it is shown.
CREATE TABLE code_reveal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code_id bigint NOT NULL REFERENCES code,
  user_id int NOT NULL REFERENCES users,
  place text NOT NULL CHECK (place IN ('receipt', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX code_reveal_of_code ON code_reveal (code_id);
CREATE TRIGGER code_reveal_append_only BEFORE UPDATE OR DELETE ON code_reveal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER code_reveal_keep BEFORE TRUNCATE ON code_reveal EXECUTE FUNCTION refuse_change();
