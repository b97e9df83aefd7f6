-- When the bank of the sandbox took the money, so that it can list what was paid on a day.
ALTER TABLE sandbox_payment ADD COLUMN paid_at timestamptz;
CREATE INDEX sandbox_payment_by_time ON sandbox_payment (coalesce(paid_at, succeeds_at, created_at))
  WHERE status IN ('succeeded', 'processing');
