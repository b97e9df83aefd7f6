-- A batch that turned out bad: what is left of it is not sold any more.
ALTER TABLE code_batch
  ADD COLUMN recalled_at timestamptz,
  ADD COLUMN recall_reason text,
  ADD CHECK ((recalled_at IS NULL) = (recall_reason IS NULL));

-- Its codes don't come back on the shelf either, from a refund, an order that was not paid or the archive. The lock on
-- the batch decides between a code that comes back and the recall that is on its way.
CREATE FUNCTION keep_recalled_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM code_batch WHERE id = NEW.batch_id FOR SHARE;
  IF EXISTS (SELECT FROM code_batch WHERE id = NEW.batch_id AND recalled_at IS NOT NULL) THEN
    NEW.status := 'quarantined';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER code_of_recalled_batch BEFORE UPDATE ON code FOR EACH ROW
  WHEN (NEW.status = 'available' AND OLD.status <> 'available') EXECUTE FUNCTION keep_recalled_codes();
