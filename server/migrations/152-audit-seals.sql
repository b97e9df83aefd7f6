-- The chain of the audit trail is not keyed, so whoever is superuser of the database could write it anew, hashes and all.
-- A seal is an HMAC, under a key that is not in the database, over the last entry and the seal before.
CREATE TABLE audit_seal (
  id int PRIMARY KEY CHECK (id > 0),
  entry_id bigint NOT NULL,
  entry_hash bytea NOT NULL,
  seal bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE ON audit_seal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seal_keep BEFORE TRUNCATE ON audit_seal EXECUTE FUNCTION refuse_change();
