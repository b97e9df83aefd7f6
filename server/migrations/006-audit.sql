-- What an admin changed. Each row hashes the one before it, so a row that was altered or taken out shows.
CREATE TABLE audit_entry (
  id bigint PRIMARY KEY,
  actor_id int REFERENCES users,
  action text NOT NULL,
  subject text NOT NULL,
  before jsonb,
  after jsonb,
  created_at timestamptz NOT NULL,
  hash bytea NOT NULL
);

CREATE FUNCTION audit_hash(previous bytea, entry audit_entry) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(previous || convert_to(jsonb_build_array(entry.id, entry.actor_id, entry.action, entry.subject,
    entry.before, entry.after, extract(epoch FROM entry.created_at))::text, 'UTF8'))
$$;

CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last audit_entry;
BEGIN
  -- One writer at a time, until its transaction ends: the chain has one end.
  PERFORM pg_advisory_xact_lock(hashtext('audit_entry'));
  SELECT * INTO last FROM audit_entry ORDER BY id DESC LIMIT 1;
  NEW.id := coalesce(last.id, 0) + 1;
  NEW.created_at := clock_timestamp();
  NEW.hash := audit_hash(coalesce(last.hash, ''::bytea), NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entry_chain BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_keep BEFORE TRUNCATE ON audit_entry EXECUTE FUNCTION refuse_change();
