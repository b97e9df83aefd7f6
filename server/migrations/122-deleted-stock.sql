-- A code does not come back on the shelf when its batch was recalled, nor when what it is sold as, or what it delivers,
-- was deleted. The locks decide between a code that comes back and the recall or deletion that is on its way.
CREATE FUNCTION keep_off_the_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM code_batch WHERE id = NEW.batch_id FOR SHARE;
  PERFORM FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id IN (NEW.offer_id, NEW.denomination_id) ORDER BY offer.id FOR SHARE;
  IF EXISTS (SELECT FROM code_batch WHERE id = NEW.batch_id AND recalled_at IS NOT NULL) THEN
    NEW.status := 'quarantined';
  ELSIF EXISTS (
    SELECT FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id IN (NEW.offer_id, NEW.denomination_id)
      AND (offer.deleted_at IS NOT NULL OR product.deleted_at IS NOT NULL)) THEN
    NEW.status := CASE WHEN NEW.denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END;
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER code_of_recalled_batch ON code;
CREATE TRIGGER code_back_on_shelf BEFORE UPDATE ON code FOR EACH ROW
  WHEN (NEW.status = 'available' AND OLD.status <> 'available') EXECUTE FUNCTION keep_off_the_shelf();
DROP FUNCTION keep_recalled_codes();

-- What came back before this was so.
UPDATE code SET status = CASE WHEN code.denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END
FROM offer JOIN product ON product.id = offer.product_id
WHERE offer.id = code.offer_id AND code.status = 'available'
  AND (offer.deleted_at IS NOT NULL OR product.deleted_at IS NOT NULL);
UPDATE code SET status = 'unpublished' FROM offer
WHERE offer.id = code.denomination_id AND code.status = 'available' AND offer.deleted_at IS NOT NULL;
