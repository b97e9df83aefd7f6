-- A refund that somebody made at the provider itself is in the store's books as well, so that its money never goes back
-- twice: `origin` says who made it. The version before this one knows only its own, which the defaults describe.
ALTER TABLE card_refund
  ADD COLUMN origin text NOT NULL DEFAULT 'store' CHECK (origin IN ('store', 'provider')),
  -- How often the provider was asked to make it, counted before each call. A row without a count may have been sent.
  ADD COLUMN attempts int NOT NULL DEFAULT 1 CHECK (attempts >= 0),
  -- The provider asked not to be called before.
  ADD COLUMN next_at timestamptz,
  -- Since then nobody can tell without a person whether it was made.
  ADD COLUMN stuck_since timestamptz,
  ADD CHECK (origin = 'store' OR provider_refund_id IS NOT NULL AND status <> 'sending');
CREATE UNIQUE INDEX card_refund_told_once ON card_refund (payment_id, provider_refund_id);

-- Money of an item that came back by a refund made at the provider. An item may have some of several, besides the one
-- row by which the store gives back the rest.
ALTER TABLE refund
  ADD COLUMN is_outside boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT is_outside OR card_refund_id IS NOT NULL);
CREATE UNIQUE INDEX refund_of_item_outside ON refund (order_item_id, card_refund_id)
  WHERE is_outside AND delivery_id IS NULL;
CREATE UNIQUE INDEX refund_of_unit_outside ON refund (delivery_id, card_refund_id) WHERE is_outside;
DROP INDEX refund_of_item;
CREATE UNIQUE INDEX refund_of_item ON refund (order_item_id) WHERE delivery_id IS NULL AND NOT is_outside;
ALTER TABLE refund DROP CONSTRAINT refund_delivery_id_key;
CREATE UNIQUE INDEX refund_of_unit ON refund (delivery_id) WHERE NOT is_outside;
CREATE INDEX refund_by_delivery ON refund (delivery_id) WHERE delivery_id IS NOT NULL;
CREATE INDEX refund_by_card_refund ON refund (card_refund_id) WHERE card_refund_id IS NOT NULL;

ALTER TABLE payment ADD COLUMN next_at timestamptz;

-- What the sandbox can play besides paying: refunds that somebody makes in its cabinet, that take their time and fail,
-- answers that are lost, and a bank that refuses everything.
ALTER TABLE sandbox_refund
  ADD COLUMN status text NOT NULL DEFAULT 'succeeded' CHECK (status IN ('pending', 'succeeded', 'failed'));
CREATE TABLE sandbox_mood (
  payment_id uuid PRIMARY KEY REFERENCES sandbox_payment,
  -- What becomes of the next refunds the store asks for.
  refunds text NOT NULL CHECK (refunds IN ('pending', 'lose_answer', 'refuse'))
);
CREATE TABLE sandbox_refusal (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  kind text NOT NULL CHECK (kind IN ('not_allowed', 'parameter')),
  until timestamptz NOT NULL
);
