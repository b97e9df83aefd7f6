-- Outside a transaction
-- Accounts are found by the address of e-mail that they have as a contact.
CREATE INDEX CONCURRENTLY IF NOT EXISTS customer_contact_email ON customer_contact (lower(address)) WHERE channel = 'email';
