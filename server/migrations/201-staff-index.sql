-- Outside a transaction

CREATE INDEX CONCURRENTLY IF NOT EXISTS users_staff_role ON users (staff_role_id) WHERE staff_role_id IS NOT NULL;
