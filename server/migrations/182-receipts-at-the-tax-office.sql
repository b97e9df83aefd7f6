-- What became of the fiscal document of a payment or a refund at the tax office; null until the provider has said.
ALTER TABLE payment
  ADD COLUMN receipt_state text CHECK (receipt_state IN ('registered', 'failed')),
  -- When the provider was last asked about it.
  ADD COLUMN receipt_asked_at timestamptz;
ALTER TABLE card_refund
  ADD COLUMN receipt_state text CHECK (receipt_state IN ('registered', 'failed')),
  ADD COLUMN receipt_asked_at timestamptz;
CREATE INDEX payment_receipt_open ON payment (settled_at, id)
  WHERE receipt IS NOT NULL AND receipt_state IS NULL AND status = 'succeeded';
CREATE INDEX card_refund_receipt_open ON card_refund (created_at, id)
  WHERE receipt IS NOT NULL AND receipt_state IS NULL AND status = 'succeeded';

-- What receipts in Uzbekistan say of products that say nothing else: the code of goods and services (IKPU), that of its
-- package, which belongs to it, and VAT in percent. Payme is sent lines only where all three are known.
ALTER TABLE fiscal_settings
  ADD COLUMN ikpu text CHECK (ikpu ~ '^\d{17}$'),
  ADD COLUMN package_code text CHECK (package_code ~ '^\d{1,20}$'),
  ADD COLUMN vat_percent int CHECK (vat_percent BETWEEN 0 AND 100),
  ADD CHECK ((ikpu IS NULL) = (package_code IS NULL));
ALTER TABLE product
  ADD COLUMN receipt_ikpu text CHECK (receipt_ikpu ~ '^\d{17}$'),
  ADD COLUMN receipt_package_code text CHECK (receipt_package_code ~ '^\d{1,20}$'),
  ADD COLUMN receipt_vat_percent int CHECK (receipt_vat_percent BETWEEN 0 AND 100),
  ADD CHECK ((receipt_ikpu IS NULL) = (receipt_package_code IS NULL));
