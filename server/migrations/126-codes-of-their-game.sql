-- The game on whose page the generated codes of a product are activated: they are sold as what they deliver, or not at all.
ALTER TABLE product ADD COLUMN code_game text CHECK (code_game = 'freefire'),
  ADD CHECK (code_game IS NULL OR kind = 'code');
UPDATE product SET code_game = 'freefire'
WHERE kind = 'code' AND supports_code_generation AND (slug ~ 'free-?fire' OR EXISTS (
  SELECT FROM product_text WHERE product_id = product.id AND title ~* 'free[ -]?fire|фри[ -]?фа[ей]р'));

CREATE FUNCTION is_of_its_game(code_offer int, code_denomination int) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM offer JOIN product ON product.id = offer.product_id,
      offer AS denomination JOIN product AS game ON game.id = denomination.product_id
    WHERE offer.id = code_offer AND denomination.id = code_denomination AND product.code_game = game.slug)
$$;

-- What was on sale as something else is withdrawn; who has one can still activate it. The operator is told.
WITH wrong AS (
  SELECT code.id, code.status, offer.product_id FROM code JOIN offer ON offer.id = code.offer_id
  WHERE code.denomination_id IS NOT NULL AND code.status IN ('available', 'reserved', 'used')
    AND NOT is_of_its_game(code.offer_id, code.denomination_id)
    AND NOT EXISTS (SELECT FROM code_activation WHERE code_id = code.id)),
withdrawn AS (
  UPDATE code SET status = 'unpublished' FROM wrong WHERE code.id = wrong.id AND wrong.status = 'available')
INSERT INTO alert (kind, subject, details)
SELECT 'codes.other_game', 'product:' || product_id, jsonb_build_object('product', max(texts.title),
  'withdrawn', count(*) FILTER (WHERE status = 'available'), 'sold', count(*) FILTER (WHERE status <> 'available'))
FROM wrong JOIN product_text AS texts USING (product_id) WHERE texts.language = 'ru'
GROUP BY product_id;

-- Nor do they come on the shelf again: from a refund, an order that was not paid, or a node of the version before.
CREATE FUNCTION keep_codes_with_their_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_of_its_game(NEW.offer_id, NEW.denomination_id) THEN
    NEW.status := 'unpublished';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER code_on_another_shelf BEFORE INSERT ON code FOR EACH ROW
  WHEN (NEW.denomination_id IS NOT NULL AND NEW.status = 'available') EXECUTE FUNCTION keep_codes_with_their_game();
CREATE TRIGGER code_on_another_shelf_again BEFORE UPDATE ON code FOR EACH ROW
  WHEN (NEW.denomination_id IS NOT NULL AND NEW.status = 'available' AND OLD.status <> 'available')
  EXECUTE FUNCTION keep_codes_with_their_game();
