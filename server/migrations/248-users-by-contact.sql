-- Outside a transaction
-- Customers and their orders are searched for by the address in the profile.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_by_contact ON users (lower(contact)) WHERE contact <> '';
