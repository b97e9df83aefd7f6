-- The suppliers as the owner wants them asked, and the accounts that were typed in the admin area: docs/suppliers.md. One that
-- was never touched has no row.
CREATE TABLE supplier_account (
  supplier text PRIMARY KEY,
  -- Null: on where the environment names it, else off. Off: nothing new is sent there; what is under way goes on.
  is_on boolean,
  -- Null: after those that were moved.
  position int,
  -- Its settings as one JSON, sealed by the vault for `supplier_account:<name>`. Null: cleared. The row stays, so that its
  -- versions go on.
  key_id int REFERENCES vault_key,
  ciphertext bytea,
  -- Counts what was typed and switched; a rotation of the key or another order of the suppliers is no other version.
  version int NOT NULL DEFAULT 1,
  changed_at timestamptz,
  changed_by int REFERENCES users,
  CHECK ((key_id IS NULL) = (ciphertext IS NULL))
);
CREATE INDEX supplier_account_key ON supplier_account (key_id);
