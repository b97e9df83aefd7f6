-- Outside a transaction
-- How much is left of each import, counted in an index that has nothing else: the list of imports read all their codes.
-- What is sold leaves it without a new entry.
CREATE INDEX CONCURRENTLY IF NOT EXISTS code_left_of_batch ON code (batch_id) WHERE status = 'available';
