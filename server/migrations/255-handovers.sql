-- Each time a delivery came into the operator's queue, which an order tells after it has left the queue again.
CREATE TABLE delivery_handover (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES delivery,
  -- What went wrong at that moment.
  reason text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX delivery_handover_of_delivery ON delivery_handover (delivery_id);
CREATE TRIGGER delivery_handover_append_only BEFORE UPDATE OR DELETE ON delivery_handover
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER delivery_handover_keep BEFORE TRUNCATE ON delivery_handover EXECUTE FUNCTION refuse_change();

CREATE FUNCTION note_handover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_handover (delivery_id, reason, created_at) VALUES (NEW.id, NEW.reason, NEW.operator_since);
  RETURN NULL;
END $$;
-- Nothing may come into the queue between the copy and the trigger.
LOCK TABLE delivery IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO delivery_handover (delivery_id, reason, created_at)
SELECT id, reason, operator_since FROM delivery WHERE operator_since IS NOT NULL;
CREATE TRIGGER delivery_note_handover AFTER UPDATE OF operator_since ON delivery FOR EACH ROW
  WHEN (OLD.operator_since IS NULL AND NEW.operator_since IS NOT NULL) EXECUTE FUNCTION note_handover();
