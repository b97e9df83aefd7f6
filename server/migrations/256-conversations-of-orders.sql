-- Outside a transaction
-- The conversations that name an order, in whatever case its number was typed.
DROP INDEX CONCURRENTLY IF EXISTS conversation_of_order;
CREATE INDEX CONCURRENTLY conversation_of_order ON conversation (upper(named_order)) WHERE named_order <> '';
