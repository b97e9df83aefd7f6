-- What a buyer pays for a way to pay, beside what the order costs: docs/decisions/038. It is frozen when the payment is made,
-- with the terms it follows from, and is part of the payment's amount. The fee that the shop bears is not kept here.
ALTER TABLE payment
  ADD COLUMN fee_amount bigint NOT NULL DEFAULT 0 CHECK (fee_amount >= 0),
  -- In hundredths of a percent, and in minor units of the order's currency.
  ADD COLUMN fee_percent int NOT NULL DEFAULT 0 CHECK (fee_percent >= 0),
  ADD COLUMN fee_fixed bigint NOT NULL DEFAULT 0 CHECK (fee_fixed >= 0),
  -- Whether it goes back with the rest when all of the order does, although something was delivered.
  ADD COLUMN is_fee_refunded boolean NOT NULL DEFAULT false,
  -- What of the money that came went to the account `fees`: all of the fee, or none where the money bought nothing.
  ADD COLUMN booked_fee bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT payment_fee_check CHECK (fee_amount < amount) NOT VALID,
  -- The version before this one knows no fees, and would book one among the sales: it is refused.
  ADD CONSTRAINT payment_booked_fee_check CHECK (booked_fee = 0 OR booked_fee = fee_amount AND status = 'succeeded') NOT VALID,
  ADD CONSTRAINT payment_order_fee_check CHECK (settled_to IS DISTINCT FROM 'order' OR booked_fee = fee_amount) NOT VALID;

-- How much of a refund is of the fee; the rest is of what was bought.
ALTER TABLE card_refund
  ADD COLUMN fee_amount bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT card_refund_fee_check CHECK (fee_amount BETWEEN 0 AND amount) NOT VALID;

ALTER TABLE account DROP CONSTRAINT account_kind_check,
  ADD CONSTRAINT account_kind_check
    CHECK (kind IN ('wallet', 'sales', 'adjustments', 'card', 'disputes', 'reserved', 'fees'));
INSERT INTO account (kind, currency) SELECT 'fees', currency FROM unnest(ARRAY['USD', 'RUB']) currency;
