-- As 299 for orders: nine checks are one.
CREATE FUNCTION is_whole_item(
  item_type text, status text, offer_id int, price_version int, product_id int, quantity int, unit_price bigint,
  unit_discount bigint, unit_floor bigint, is_on_demand boolean)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN item_type IN ('code', 'topup')
    AND status IN ('awaiting_payment', 'pending', 'delivered', 'unknown', 'refunded', 'expired')
    AND quantity > 0
    AND unit_price >= 0
    AND (offer_id IS NULL) = (price_version IS NULL)
    AND (offer_id IS NULL) = (product_id IS NOT NULL)
    AND (offer_id IS NOT NULL OR item_type = 'topup')
    AND (NOT is_on_demand OR item_type = 'code')
    -- No coupon sells below what the shop pays.
    AND (unit_discount = 0
      OR unit_discount > 0 AND unit_price > 0 AND (unit_floor IS NULL OR unit_price >= unit_floor));
END $$;
ALTER TABLE order_item
  ADD CONSTRAINT order_item_whole CHECK (is_whole_item(item_type, status, offer_id, price_version, product_id, quantity,
    unit_price, unit_discount, unit_floor, is_on_demand)) NOT VALID,
  DROP CONSTRAINT order_item_check, DROP CONSTRAINT order_item_check1, DROP CONSTRAINT order_item_check2,
  DROP CONSTRAINT order_item_check3, DROP CONSTRAINT order_item_discount_check, DROP CONSTRAINT order_item_item_type_check,
  DROP CONSTRAINT order_item_quantity_check, DROP CONSTRAINT order_item_status_check,
  DROP CONSTRAINT order_item_unit_price_check;

-- A sale of codes has read the package already, and says what the item keeps of it. The trigger looks for what it was not told:
-- `{}` stands for a package without other names.
CREATE OR REPLACE TRIGGER order_item_freeze BEFORE INSERT ON order_item FOR EACH ROW
  WHEN (NEW.offer_id IS NOT NULL AND NEW.offer_translations IS NULL) EXECUTE FUNCTION freeze_item();
