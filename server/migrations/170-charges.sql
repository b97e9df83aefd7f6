-- A payment may be charged in another currency than its order's: by which method, how much, and at which rate, frozen when
-- the payment is made. Where they are null, the order's own amount is charged, by the provider's first method. The version
-- before this one knows no others.
ALTER TABLE payment
  ADD COLUMN method text,
  -- Of the pay page: each attempt to open it has to ask for one and the same.
  ADD COLUMN language text,
  ADD COLUMN charge_amount bigint CHECK (charge_amount > 0),
  ADD COLUMN charge_currency text CHECK (charge_currency IN ('USD', 'RUB', 'UZS', 'KZT')),
  -- How much of the charge currency one of the order's is.
  ADD COLUMN charge_rate numeric(20, 8) CHECK (charge_rate > 0),
  ADD CHECK ((charge_amount IS NULL) = (charge_currency IS NULL) AND (charge_amount IS NULL) = (charge_rate IS NULL)),
  ADD CHECK (charge_currency <> currency),
  -- What the ledger has of the money that came; where they are null, what came is what it has.
  ADD COLUMN booked_amount bigint CHECK (booked_amount > 0),
  ADD COLUMN booked_currency text CHECK (booked_currency IN ('USD', 'RUB')),
  ADD CHECK ((booked_amount IS NULL) = (booked_currency IS NULL)),
  ADD CHECK (status = 'succeeded' OR booked_amount IS NULL);

-- A refund goes back in what was charged; null where that is the amount itself. One that somebody made of less than the
-- smallest unit of the order's currency is in the books with nothing.
ALTER TABLE card_refund
  ADD COLUMN charge_amount bigint CHECK (charge_amount > 0),
  DROP CONSTRAINT card_refund_amount_check,
  ADD CHECK (amount > 0 OR amount = 0 AND origin = 'provider' AND charge_amount IS NOT NULL);
