-- A denomination that was deleted stays for the receipts that name it, until one of its amount is added again.
ALTER TABLE offer ADD COLUMN deleted_at timestamptz, ADD CHECK (deleted_at IS NULL OR NOT is_active);
DROP INDEX offer_item_id;
CREATE UNIQUE INDEX offer_item_id ON offer (product_id, item_id) WHERE item_id IS NOT NULL AND deleted_at IS NULL;

-- A generated code is spent in this shop, and then delivers its denomination. Nobody can buy it before it is published.
ALTER TABLE code ADD COLUMN denomination_id int REFERENCES offer,
  DROP CONSTRAINT code_status_check,
  ADD CHECK (status IN ('available', 'reserved', 'used', 'error', 'quarantined', 'archived', 'unpublished')),
  ADD CHECK (status <> 'unpublished' OR denomination_id IS NOT NULL);
CREATE INDEX generated_code_on_list ON code (offer_id, status, id) WHERE denomination_id IS NOT NULL;
CREATE INDEX generated_code_of_denomination ON code (denomination_id, status) WHERE denomination_id IS NOT NULL;

-- A generated code that was spent, by the item that delivers it. Once that came to nothing (`refunded`) the code may be
-- spent again, by an activation of the next number.
CREATE TABLE code_activation (
  code_id bigint NOT NULL REFERENCES code,
  activation_number smallint NOT NULL CHECK (activation_number > 0),
  order_item_id bigint NOT NULL UNIQUE REFERENCES order_item,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (code_id, activation_number)
);
CREATE TRIGGER code_activation_append_only BEFORE UPDATE OR DELETE ON code_activation
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER code_activation_keep BEFORE TRUNCATE ON code_activation EXECUTE FUNCTION refuse_change();

-- What is delivered for a code was paid for when the code was bought.
ALTER TABLE orders
  DROP CONSTRAINT orders_payment_method_check, ADD CHECK (payment_method IN ('balance', 'card', 'code')),
  DROP CONSTRAINT orders_total_check, ADD CHECK (total >= 0), ADD CHECK ((total = 0) = (payment_method = 'code'));
ALTER TABLE order_item DROP CONSTRAINT order_item_unit_price_check, ADD CHECK (unit_price >= 0);
