-- Outside a transaction
-- Keys that the page makes follow each other in time. With them in front, what is called now is on one page of the index;
-- with the user in front each call changed a page of that user's, which a large store reads and logs for it alone.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS idempotent_call_by_key ON idempotent_call (key, user_id);
