-- A refund of some units of a line, or of a sum of it, while the rest stays with the customer. Its money is in `refund`,
-- several rows of it where some had gone back past the store.
CREATE TABLE refund_part (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  order_item_id bigint NOT NULL REFERENCES order_item,
  -- How many units came back. None: a sum alone, for which nothing came back.
  quantity int CHECK (quantity > 0),
  -- What the customer gets for it altogether, in minor units.
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refund_part_of_item ON refund_part (order_item_id);
CREATE INDEX refund_part_of_order ON refund_part (order_id);
CREATE TRIGGER refund_part_append_only BEFORE UPDATE OR DELETE ON refund_part
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_part_keep BEFORE TRUNCATE ON refund_part EXECUTE FUNCTION refuse_change();
-- A second part changes no status, and who looks at the order is told of it all the same.
CREATE TRIGGER refund_part_tell AFTER INSERT ON refund_part FOR EACH ROW EXECUTE FUNCTION tell_of_status();

ALTER TABLE refund ADD COLUMN part_id bigint REFERENCES refund_part;
CREATE UNIQUE INDEX refund_of_part ON refund (part_id) WHERE NOT is_outside;
CREATE UNIQUE INDEX refund_of_part_outside ON refund (part_id, card_refund_id) WHERE is_outside;
DROP INDEX refund_of_item;
CREATE UNIQUE INDEX refund_of_item ON refund (order_item_id)
  WHERE delivery_id IS NULL AND part_id IS NULL AND NOT is_outside;
DROP INDEX refund_of_item_outside;
CREATE UNIQUE INDEX refund_of_item_outside ON refund (order_item_id, card_refund_id)
  WHERE is_outside AND delivery_id IS NULL AND part_id IS NULL;

-- The version before this one does not count parts when it refunds the whole of a line: it is refused, and never pays
-- them twice. Looked at when the transaction ends, for a refund may be charged to other money in between.
CREATE FUNCTION refuse_refund_above_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount) FROM refund WHERE order_item_id = NEW.order_item_id)
    > (SELECT unit_price * quantity FROM order_item WHERE id = NEW.order_item_id) THEN
    RAISE EXCEPTION 'more than its price was given back of order item %', NEW.order_item_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER refund_within_price AFTER INSERT OR UPDATE OF amount ON refund
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_refund_above_price();
