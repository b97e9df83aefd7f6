-- What each code and each delivery cost the shop. What nobody knows is null, and never 0.

ALTER TABLE code_batch
  -- Of one code, as its seller's invoice has it: a decimal, and the currency it is in.
  ADD COLUMN cost numeric(20, 8) CHECK (cost >= 0),
  ADD COLUMN cost_currency text CHECK (cost_currency ~ '^[A-Z]{3,5}$'),
  -- Who sold an import to the shop; `supplier` is whom the shop buys codes from one by one.
  ADD COLUMN seller text NOT NULL DEFAULT '',
  ADD COLUMN invoice text NOT NULL DEFAULT '',
  -- The last day on which its codes can be activated, and the end of that day where the shop is.
  ADD COLUMN expires_on date,
  ADD COLUMN sold_until timestamptz,
  -- Since when what was left of it is off sale.
  ADD COLUMN expired_at timestamptz,
  ADD COLUMN version int NOT NULL DEFAULT 1,
  ADD CHECK ((cost IS NULL) = (cost_currency IS NULL)),
  ADD CHECK ((expires_on IS NULL) = (sold_until IS NULL));
CREATE INDEX code_batch_expiring ON code_batch (sold_until) WHERE expired_at IS NULL AND sold_until IS NOT NULL;
-- No code comes back on sale after its batch has expired: whoever takes the rest of a batch off sale has locked it.
CREATE OR REPLACE FUNCTION keep_off_the_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM code_batch WHERE id = NEW.batch_id FOR SHARE;
  PERFORM FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id IN (NEW.offer_id, NEW.denomination_id) ORDER BY offer.id FOR SHARE;
  IF EXISTS (SELECT FROM code_batch WHERE id = NEW.batch_id AND recalled_at IS NOT NULL) THEN
    NEW.status := 'quarantined';
  ELSIF EXISTS (SELECT FROM code_batch WHERE id = NEW.batch_id AND sold_until <= clock_timestamp()) OR EXISTS (
    SELECT FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id IN (NEW.offer_id, NEW.denomination_id)
      AND (offer.deleted_at IS NOT NULL OR product.deleted_at IS NOT NULL)) THEN
    NEW.status := CASE WHEN NEW.denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END;
  ELSIF NEW.denomination_id IS NOT NULL AND NOT is_of_its_game(NEW.offer_id, NEW.denomination_id) THEN
    NEW.status := 'unpublished';
  END IF;
  RETURN NEW;
END $$;
-- Every cost that a batch was given, and each time it became unknown again: what was sold must have cost one of these.
CREATE TABLE code_batch_cost (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  batch_id int NOT NULL REFERENCES code_batch,
  cost numeric(20, 8),
  cost_currency text,
  made_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX code_batch_cost_of ON code_batch_cost (batch_id, id);
CREATE TRIGGER code_batch_cost_append_only BEFORE UPDATE OR DELETE ON code_batch_cost
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER code_batch_cost_keep BEFORE TRUNCATE ON code_batch_cost EXECUTE FUNCTION refuse_change();

-- Of a code that was bought alone; of the others their batch knows it.
ALTER TABLE code ADD COLUMN cost numeric(20, 8), ADD COLUMN cost_currency text;

-- Frozen when it is sold, in the currency of its order. Without a check, which would be paid for by every sale.
ALTER TABLE code_sale ADD COLUMN cost numeric(20, 8);

-- What the supplier took, and that in the currency of the order, frozen when it was done.
ALTER TABLE supplier_order
  ADD COLUMN cost numeric(20, 8) CHECK (cost >= 0),
  ADD COLUMN cost_currency text CHECK (cost_currency ~ '^[A-Z]{3,5}$'),
  ADD COLUMN cost_in_order numeric(20, 8),
  ADD CHECK ((cost IS NULL) = (cost_currency IS NULL)),
  ADD CHECK (cost_in_order IS NULL OR cost IS NOT NULL);

-- Each unit that an item took from the shop, and what it cost. A code that went back into stock took nothing; one that came
-- back and is never sold again did. Of an order at a supplier that an operator gave up nobody knows whether it was paid
-- for. A delivery whose code was the shop's, of its pool or bought for it, cost what the code did; a generated code that is
-- spent is besides what it delivers.
CREATE VIEW sold_unit AS
SELECT code_sale.order_item_id, code_sale.cost
FROM code_sale
WHERE NOT EXISTS (
  SELECT FROM code_return
  WHERE code_return.code_id = code_sale.code_id AND code_return.sale_number = code_sale.sale_number
    AND NOT is_quarantined)
UNION ALL
SELECT delivery.order_item_id, supplier_order.cost_in_order
FROM delivery JOIN supplier_order ON supplier_order.delivery_id = delivery.id
WHERE supplier_order.state IN ('done', 'given_up')
  AND NOT EXISTS (
    SELECT FROM code_sale JOIN code ON code.id = code_sale.code_id
    WHERE code_sale.order_item_id = delivery.order_item_id AND code_sale.position = delivery.unit
      AND code.denomination_id IS NULL);

-- The sum of an item's units, in minor units of its order's currency: of how many units it is known, and how many there
-- are. Null is an item of before, or that nothing was delivered of yet.
ALTER TABLE order_item ADD COLUMN cost bigint, ADD COLUMN cost_units int, ADD COLUMN known_units int;
