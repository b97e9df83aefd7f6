-- Outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS message_to_former ON message (former_user_id, created_at)
  WHERE former_user_id IS NOT NULL;
