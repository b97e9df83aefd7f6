-- When the provider made a refund, from when its cash register has its days; null where it was made by the time that the store
-- wrote it down.
ALTER TABLE card_refund ADD COLUMN settled_at timestamptz;
