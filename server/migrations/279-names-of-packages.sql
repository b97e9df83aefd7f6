-- What a package is called in other languages than Russian, by language. Its name stands in for one that is missing.
ALTER TABLE offer ADD COLUMN translations jsonb NOT NULL DEFAULT '{}';

-- An item keeps all of its names as it keeps the one.
ALTER TABLE order_item ADD COLUMN offer_translations jsonb;
CREATE OR REPLACE FUNCTION freeze_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT offer_price.item_id, offer.name, nullif(offer.translations, '{}')
  INTO NEW.supplier_item, NEW.offer_name, NEW.offer_translations
  FROM offer_price JOIN offer ON offer.id = offer_price.offer_id
  WHERE offer_price.offer_id = NEW.offer_id AND offer_price.version = NEW.price_version;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the offer % never had a price of version %', NEW.offer_id, NEW.price_version
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER order_item_names_stay_frozen BEFORE UPDATE OF offer_translations ON order_item FOR EACH ROW
  WHEN (OLD.offer_translations IS DISTINCT FROM NEW.offer_translations) EXECUTE FUNCTION refuse_change();
