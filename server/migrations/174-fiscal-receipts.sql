-- One row: which providers are sent fiscal receipts, and what they say of products that say nothing else. None are, to begin
-- with.
CREATE TABLE fiscal_settings (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  providers text[] NOT NULL DEFAULT '{}',
  -- None: the cash register knows it.
  tax_system text,
  tax text NOT NULL DEFAULT 'none',
  subject text NOT NULL DEFAULT 'service',
  mode text NOT NULL DEFAULT 'full_payment',
  version int NOT NULL DEFAULT 1
);
CREATE TRIGGER fiscal_settings_version
  BEFORE UPDATE ON fiscal_settings FOR EACH ROW EXECUTE FUNCTION count_version();
INSERT INTO fiscal_settings DEFAULT VALUES;

-- What a product's line says; none: what the shop's settings say.
ALTER TABLE product
  ADD COLUMN receipt_tax text,
  ADD COLUMN receipt_subject text,
  ADD COLUMN receipt_mode text;

-- What the receipt of a payment is made from, frozen when the payment is created: the buyer's e-mail, the lines of the order,
-- taxes. None where its provider was sent no receipts.
ALTER TABLE payment ADD COLUMN receipt jsonb;
-- The receipt that every attempt to make the refund sends.
ALTER TABLE card_refund ADD COLUMN receipt jsonb;
