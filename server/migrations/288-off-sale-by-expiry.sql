-- Whether a code is off sale only because the day of its import was over: it is in stock again once that day is corrected.
-- Of what went off sale before, nobody knows.
ALTER TABLE code ADD COLUMN is_expired boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION keep_off_the_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM code_batch WHERE id = NEW.batch_id FOR SHARE;
  PERFORM FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id IN (NEW.offer_id, NEW.denomination_id) ORDER BY offer.id FOR SHARE;
  NEW.is_expired := false;
  IF EXISTS (SELECT FROM code_batch WHERE id = NEW.batch_id AND recalled_at IS NOT NULL) THEN
    NEW.status := 'quarantined';
  ELSIF EXISTS (
    SELECT FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id IN (NEW.offer_id, NEW.denomination_id)
      AND (offer.deleted_at IS NOT NULL OR product.deleted_at IS NOT NULL)) THEN
    NEW.status := CASE WHEN NEW.denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END;
  ELSIF NEW.denomination_id IS NOT NULL AND NOT is_of_its_game(NEW.offer_id, NEW.denomination_id) THEN
    NEW.status := 'unpublished';
  ELSIF EXISTS (SELECT FROM code_batch WHERE id = NEW.batch_id AND sold_until <= clock_timestamp()) THEN
    NEW.status := CASE WHEN NEW.denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END;
    NEW.is_expired := true;
  END IF;
  RETURN NEW;
END $$;
