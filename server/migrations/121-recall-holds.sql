-- From then on nothing of a recalled batch is sold, or shown to a buyer who has not seen it. Of batches that were recalled
-- before this was so, from now on.
ALTER TABLE code_batch ADD COLUMN recall_holds_since timestamptz,
  ADD CHECK (recall_holds_since IS NULL OR recalled_at IS NOT NULL);
UPDATE code_batch SET recall_holds_since = clock_timestamp() WHERE recalled_at IS NOT NULL;
