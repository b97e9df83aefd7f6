-- That the contact of an account is another one is told at the address that it was: docs/messages.md.

-- A message goes to somebody of the shop, to a customer, to the address that a visitor left in a conversation, or to the one
-- that a customer had before. That one is kept here: the contact has another by then, or is gone.
ALTER TABLE message ADD COLUMN former_user_id int REFERENCES users, ADD COLUMN former_address text;
ALTER TABLE message DROP CONSTRAINT message_to_one;
ALTER TABLE message ADD CONSTRAINT message_to_one
  CHECK (num_nonnulls(recipient_id, contact_id, conversation_id, former_user_id) = 1) NOT VALID;
ALTER TABLE message ADD CONSTRAINT message_to_former
  CHECK ((former_user_id IS NULL) = (former_address IS NULL)) NOT VALID;

-- Whichever version of the store changes the contact. Who changes it again and again has it told three times an hour, so that
-- nobody's mailbox is filled by it.
CREATE FUNCTION tell_former_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message (former_user_id, former_address, channel, language, payload, is_urgent)
  SELECT users.id, OLD.address, OLD.channel, coalesce(users.language, 'ru'), '{"kind": "recovery.moved"}'::jsonb, true
  FROM users JOIN message_channel ON message_channel.name = OLD.channel
    AND (message_channel.ciphertext IS NOT NULL OR message_channel.is_in_environment)
  WHERE users.id = OLD.user_id AND 3 > (
    SELECT count(*) FROM message AS told
    WHERE told.former_user_id = OLD.user_id AND told.created_at > now() - interval '1 hour');
  RETURN NULL;
END $$;
CREATE TRIGGER customer_contact_moved AFTER UPDATE OF address ON customer_contact FOR EACH ROW
  WHEN (OLD.channel = 'email' AND OLD.fault IS NULL AND lower(OLD.address) <> lower(NEW.address))
  EXECUTE FUNCTION tell_former_address();
CREATE TRIGGER customer_contact_gone AFTER DELETE ON customer_contact FOR EACH ROW
  WHEN (OLD.channel = 'email' AND OLD.fault IS NULL) EXECUTE FUNCTION tell_former_address();
