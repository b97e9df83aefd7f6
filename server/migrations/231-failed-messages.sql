-- Outside a transaction
-- The messages that were given up are counted at each scrape of the metrics.
CREATE INDEX CONCURRENTLY IF NOT EXISTS message_failed ON message (created_at) WHERE state = 'failed';
