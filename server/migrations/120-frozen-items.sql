-- What a supplier calls an offer belongs to what was bought, as its price does: each version of an offer has both.
ALTER TABLE offer_price ADD COLUMN item_id text;
ALTER TABLE offer_price DISABLE TRIGGER offer_price_append_only;
UPDATE offer_price SET item_id = offer.item_id FROM offer WHERE offer.id = offer_id AND offer.item_id IS NOT NULL;
ALTER TABLE offer_price ENABLE TRIGGER offer_price_append_only;

DROP TRIGGER offer_new_price ON offer;
CREATE TRIGGER offer_new_price BEFORE UPDATE ON offer FOR EACH ROW
  WHEN ((OLD.price_usd, OLD.price_rub, OLD.item_id) IS DISTINCT FROM (NEW.price_usd, NEW.price_rub, NEW.item_id))
  EXECUTE FUNCTION count_price_version();

CREATE OR REPLACE FUNCTION keep_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offer_price (offer_id, version, price_usd, price_rub, item_id)
  VALUES (NEW.id, NEW.price_version, NEW.price_usd, NEW.price_rub, NEW.item_id);
  RETURN NULL;
END $$;

-- An item keeps what it was when it was ordered, and is delivered as that. The trigger does it for every node, also one
-- of the version before.
ALTER TABLE order_item ADD COLUMN supplier_item text, ADD COLUMN offer_name text;
CREATE FUNCTION freeze_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT offer_price.item_id, offer.name INTO NEW.supplier_item, NEW.offer_name
  FROM offer_price JOIN offer ON offer.id = offer_price.offer_id
  WHERE offer_price.offer_id = NEW.offer_id AND offer_price.version = NEW.price_version;
  RETURN NEW;
END $$;
CREATE TRIGGER order_item_freeze BEFORE INSERT ON order_item FOR EACH ROW
  WHEN (NEW.offer_id IS NOT NULL) EXECUTE FUNCTION freeze_item();
CREATE TRIGGER order_item_stays_frozen BEFORE UPDATE OF supplier_item, offer_name ON order_item FOR EACH ROW
  WHEN (OLD.supplier_item IS NOT NULL AND OLD.supplier_item IS DISTINCT FROM NEW.supplier_item
    OR OLD.offer_name IS NOT NULL AND OLD.offer_name IS DISTINCT FROM NEW.offer_name)
  EXECUTE FUNCTION refuse_change();

-- What may still be delivered is delivered as it would be today.
UPDATE order_item SET supplier_item = offer.item_id, offer_name = offer.name FROM offer
WHERE offer.id = order_item.offer_id AND status IN ('awaiting_payment', 'expired', 'pending', 'unknown')
  AND num_nulls(offer.item_id, offer.name) < 2;

-- What a supplier was asked for. Unknown of the orders that were sent before this was written down.
ALTER TABLE supplier_order ADD COLUMN item text;

-- An offer that was deleted stays what it was: one of its amount that is added again is another offer.
ALTER TABLE offer DROP CONSTRAINT offer_product_id_region_id_game_amount_key;
CREATE UNIQUE INDEX offer_product_id_region_id_game_amount_key ON offer (product_id, region_id, game_amount)
  NULLS NOT DISTINCT WHERE deleted_at IS NULL;
