-- What the bank of the sandbox says against a payment.
CREATE TABLE sandbox_dispute (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES sandbox_payment,
  kind text NOT NULL CHECK (kind IN ('dispute', 'fraud_warning')),
  status text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (payment_id, kind)
);
