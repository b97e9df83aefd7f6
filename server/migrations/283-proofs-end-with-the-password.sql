-- Who knew the password once must not get the next one by a chat that was connected with it: docs/messages.md.

-- To which contact the newest link went. A chat that a link came by is proved by that as well.
ALTER TABLE password_recovery ADD COLUMN contact_id int;

-- Whichever version of the store changes the password.
CREATE FUNCTION end_proofs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM telegram_start WHERE user_id = NEW.id;
  UPDATE customer_contact SET proved_address = NULL WHERE user_id = NEW.id AND proved_address IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER users_proofs_ended AFTER UPDATE OF password_hash, blocked_at ON users FOR EACH ROW
  WHEN (OLD.password_hash <> NEW.password_hash OR OLD.blocked_at IS DISTINCT FROM NEW.blocked_at)
  EXECUTE FUNCTION end_proofs();
