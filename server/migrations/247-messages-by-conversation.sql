-- Outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS message_to_conversation ON message (conversation_id)
  WHERE conversation_id IS NOT NULL;
