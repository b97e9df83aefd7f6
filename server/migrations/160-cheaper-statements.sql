-- Each BEFORE trigger of a row costs every update of it, even where its condition is false: two become one, and only for
-- updates of the status. docs/decisions/026-what-a-sale-pays-for.md has what was measured.
CREATE OR REPLACE FUNCTION keep_off_the_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
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
  ELSIF NEW.denomination_id IS NOT NULL AND NOT is_of_its_game(NEW.offer_id, NEW.denomination_id) THEN
    NEW.status := 'unpublished';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER code_on_another_shelf_again ON code;
DROP TRIGGER code_back_on_shelf ON code;
CREATE TRIGGER code_back_on_shelf BEFORE UPDATE OF status ON code FOR EACH ROW
  WHEN (NEW.status = 'available' AND OLD.status <> 'available') EXECUTE FUNCTION keep_off_the_shelf();

-- Whoever adds a line has locked its cart before, and carts are never deleted.
ALTER TABLE cart_item DROP CONSTRAINT cart_item_user_id_fkey;
