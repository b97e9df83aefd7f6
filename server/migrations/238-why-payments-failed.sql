-- Why a payment came to nothing: a word of the store's own, or the provider's word as it was told (docs/payments.md). Null where
-- nobody said why, and for what was canceled before this was kept. It tells something of canceled payments only.
ALTER TABLE payment
  ADD COLUMN canceled_why text,
  ADD CONSTRAINT payment_canceled_why_check CHECK (char_length(canceled_why) BETWEEN 1 AND 100) NOT VALID;
