-- A new password by a link that goes to the customer's own contact: docs/messages.md.

-- The chat that was connected by who gave the password: only there does a link for a new one go. The address is repeated, so
-- that a chat which a program connects that knows nothing of this does not count.
ALTER TABLE customer_contact ADD COLUMN proved_address text;
ALTER TABLE telegram_start ADD COLUMN is_proved boolean NOT NULL DEFAULT false;

-- Who asked for a link, in the words of the page. Whose account it is, if anybody's, is looked up after the answer.
CREATE TABLE recovery_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name_key text NOT NULL CHECK (name_key <> ''),
  language text NOT NULL CHECK (language IN ('ru', 'en', 'uz')),
  asked_at timestamptz NOT NULL DEFAULT now()
);

-- What the newest link of a customer ends with, as a digest.
CREATE TABLE password_recovery (
  user_id int PRIMARY KEY REFERENCES users,
  link_digest bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);

-- A link ends with the password, the contact and the standing it was made for, whichever version of the store changes them.
CREATE FUNCTION end_recovery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM password_recovery WHERE user_id = (to_jsonb(OLD) ->> TG_ARGV[0])::int;
  RETURN NULL;
END $$;
CREATE TRIGGER users_recovery_ended AFTER UPDATE OF password_hash, role, blocked_at ON users
  FOR EACH ROW EXECUTE FUNCTION end_recovery('id');
CREATE TRIGGER customer_contact_recovery_ended AFTER DELETE OR UPDATE OF address, proved_address ON customer_contact
  FOR EACH ROW EXECUTE FUNCTION end_recovery('user_id');
