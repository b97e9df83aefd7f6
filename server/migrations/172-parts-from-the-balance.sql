-- A part of an order may be paid from the balance, and the rest past it. The part leaves the wallet when the order is
-- placed, and is reserved until the order is paid, or ends.
ALTER TABLE orders ADD COLUMN wallet_amount bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT orders_wallet_amount_check
    CHECK (wallet_amount = 0 OR wallet_amount > 0 AND wallet_amount < total AND payment_method = 'card') NOT VALID;
CREATE INDEX orders_with_part ON orders (user_id) WHERE wallet_amount > 0 AND status = 'awaiting_payment';

ALTER TABLE account DROP CONSTRAINT account_kind_check,
  ADD CONSTRAINT account_kind_check CHECK (kind IN ('wallet', 'sales', 'adjustments', 'card', 'disputes', 'reserved'));
INSERT INTO account (kind, currency) SELECT 'reserved', currency FROM unnest(ARRAY['USD', 'RUB']) currency;
ALTER TABLE transfer DROP CONSTRAINT transfer_kind_check,
  ADD CONSTRAINT transfer_kind_check CHECK (kind IN ('purchase', 'refund', 'topup', 'adjustment', 'card', 'payout',
    'chargeback', 'chargeback_reversal', 'reservation', 'release')) NOT VALID;

-- An order that no longer waits has passed its part on. The version before this one knows no parts: it is refused.
CREATE FUNCTION require_no_part_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM transfer JOIN account ON account.id = debit_account AND account.kind = 'reserved'
    WHERE transfer.order_id = NEW.id) THEN
    RAISE EXCEPTION 'order % keeps the part its buyer paid', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER orders_part_passed_on AFTER UPDATE OF status ON orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.wallet_amount > 0 AND OLD.status = 'awaiting_payment' AND NEW.status <> 'awaiting_payment')
  EXECUTE FUNCTION require_no_part_left();

-- A refund of an order that was paid both ways goes back both ways: one row to the card, and one to the balance.
CREATE UNIQUE INDEX refund_of_item_each_way ON refund (order_item_id, (card_refund_id IS NULL))
  WHERE delivery_id IS NULL AND part_id IS NULL AND NOT is_outside;
DROP INDEX refund_of_item;
CREATE UNIQUE INDEX refund_of_part_each_way ON refund (part_id, (card_refund_id IS NULL)) WHERE NOT is_outside;
DROP INDEX refund_of_part;
