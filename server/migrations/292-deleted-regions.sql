-- A region that was deleted stays for the orders, codes and deleted packages that name it, and gives its code back.
ALTER TABLE region ADD COLUMN deleted_at timestamptz, ADD CHECK (deleted_at IS NULL OR NOT is_active),
  DROP CONSTRAINT region_code_key;
CREATE UNIQUE INDEX region_code_key ON region (code) WHERE deleted_at IS NULL;
