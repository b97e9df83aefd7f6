-- Runs beside programs that know 238-why-payments-failed.sql
-- A message goes to somebody of the shop, to a customer, or to the address that a visitor left in a conversation.
ALTER TABLE message ADD COLUMN conversation_id int REFERENCES conversation ON DELETE CASCADE;
ALTER TABLE message DROP CONSTRAINT message_to_one;
ALTER TABLE message ADD CONSTRAINT message_to_one
  CHECK (num_nonnulls(recipient_id, contact_id, conversation_id) = 1) NOT VALID;
