-- What customers are told past the store: docs/messages.md.

-- The language of the pages where the customer last logged in.
ALTER TABLE users ADD COLUMN language text CHECK (language IN ('ru', 'en', 'uz'));

-- Where a customer is told: the address of e-mail in the profile, or the chat in which the bot was started.
CREATE TABLE customer_contact (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES users,
  channel text NOT NULL CHECK (channel IN ('telegram', 'email')),
  address text NOT NULL CHECK (address <> ''),
  -- The kinds of notifications that the customer does not want there.
  declined text[] NOT NULL DEFAULT '{}',
  -- Why nothing can be sent there, in the channel's words for it; null while it can.
  fault text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, channel)
);

-- An address in the profile is a contact, whichever version of the store wrote it; another one is told again.
CREATE FUNCTION follow_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.contact ~* '^[^\s@<>",;:\\()\[\]]+@[a-z0-9-]+(\.[a-z0-9-]+)+$' AND length(NEW.contact) <= 254 THEN
    INSERT INTO customer_contact (user_id, channel, address) VALUES (NEW.id, 'email', NEW.contact)
    ON CONFLICT (user_id, channel) DO UPDATE SET address = excluded.address, fault = NULL
    WHERE customer_contact.address <> excluded.address;
  ELSE
    DELETE FROM customer_contact WHERE user_id = NEW.id AND channel = 'email';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_contact_followed AFTER INSERT OR UPDATE OF contact ON users
  FOR EACH ROW WHEN (NEW.contact <> '') EXECUTE FUNCTION follow_contact();
CREATE TRIGGER users_contact_taken_away AFTER UPDATE OF contact ON users
  FOR EACH ROW WHEN (NEW.contact = '' AND OLD.contact <> '') EXECUTE FUNCTION follow_contact();
UPDATE users SET contact = contact WHERE contact LIKE '%@%.%';

-- A message goes to somebody of the shop, or to a customer.
ALTER TABLE message ALTER COLUMN recipient_id DROP NOT NULL;
ALTER TABLE message ADD COLUMN contact_id int REFERENCES customer_contact ON DELETE CASCADE;
ALTER TABLE message ADD CONSTRAINT message_to_one CHECK (num_nonnulls(recipient_id, contact_id) = 1) NOT VALID;
CREATE INDEX message_to_contact ON message (contact_id, id);

-- Whether the environment sets a channel up, as the nodes found it when they started: nothing is queued for customers where
-- nothing carries it.
ALTER TABLE message_channel ADD COLUMN is_in_environment boolean NOT NULL DEFAULT false;

-- What a customer's link to the bot ends with, as a digest: it connects one chat, once.
CREATE TABLE telegram_start (
  user_id int PRIMARY KEY REFERENCES users,
  link_digest bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);
