-- The ways to pay as the owner wants them: docs/payments.md. A method that was never changed has no row.
CREATE TABLE payment_method (
  name text PRIMARY KEY,
  -- Off: not offered any more. What is under way goes on.
  is_on boolean NOT NULL,
  -- Null: after those that were moved.
  position int,
  -- Null: the dictionary's name of its mark.
  title_ru text CHECK (title_ru <> ''),
  title_en text CHECK (title_en <> ''),
  title_uz text CHECK (title_uz <> ''),
  -- Of one order, in minor units of its currency.
  least_usd bigint CHECK (least_usd > 0),
  least_rub bigint CHECK (least_rub > 0),
  most_usd bigint CHECK (most_usd > 0),
  most_rub bigint CHECK (most_rub > 0),
  fee_percent numeric(4, 2) NOT NULL DEFAULT 0 CHECK (fee_percent BETWEEN 0 AND 50),
  fee_usd bigint NOT NULL DEFAULT 0 CHECK (fee_usd >= 0),
  fee_rub bigint NOT NULL DEFAULT 0 CHECK (fee_rub >= 0),
  fee_bearer text NOT NULL DEFAULT 'shop' CHECK (fee_bearer IN ('shop', 'customer')),
  is_fee_refunded boolean NOT NULL DEFAULT false,
  -- Another order of the methods is no other version of them.
  version int NOT NULL DEFAULT 1,
  CHECK (least_usd <= most_usd),
  CHECK (least_rub <= most_rub)
);

-- A provider's settings as they were typed in the admin area: one JSON, sealed by the vault for `provider_account:<name>`.
CREATE TABLE provider_account (
  provider text PRIMARY KEY,
  -- Null: cleared. The row stays, so that its versions go on.
  key_id int REFERENCES vault_key,
  ciphertext bytea,
  -- Counts what was typed; a rotation of the key is no other version.
  version int NOT NULL DEFAULT 1,
  changed_at timestamptz,
  changed_by int REFERENCES users,
  CHECK ((key_id IS NULL) = (ciphertext IS NULL))
);
CREATE INDEX provider_account_key ON provider_account (key_id);
