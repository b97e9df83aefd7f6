-- How far the reading of a supplier's lists has come, or how the last one ended.
CREATE TABLE supplier_sync (
  supplier text PRIMARY KEY,
  state text NOT NULL DEFAULT 'never' CHECK (state IN ('never', 'running', 'done', 'failed')),
  -- Counts the workers: a higher number means another one reads on.
  attempt int NOT NULL DEFAULT 0,
  leased_until timestamptz NOT NULL DEFAULT '-infinity',
  phase text NOT NULL DEFAULT 'services' CHECK (phase IN ('services', 'products', 'sources')),
  -- The game whose products are being read, and where the next page begins.
  service_id bigint REFERENCES supplier_service,
  next_page text,
  pages int NOT NULL DEFAULT 0,
  tries int NOT NULL DEFAULT 0,
  -- Whether an operator takes the list as it is, however much is missing from it.
  accepts_shrunk boolean NOT NULL DEFAULT false,
  products int NOT NULL DEFAULT 0,
  new_products int NOT NULL DEFAULT 0,
  gone_products int NOT NULL DEFAULT 0,
  rejected_rows int NOT NULL DEFAULT 0,
  -- The first of them: [{"reference": "60_uc", "name": "60 UC", "reason": "cost"}].
  rejected_sample jsonb NOT NULL DEFAULT '[]',
  -- Rejected rows that offers are bought by.
  rejected_sources int NOT NULL DEFAULT 0,
  reason text,
  -- Runs in a row that came to nothing.
  failures int NOT NULL DEFAULT 0,
  started_at timestamptz,
  ended_at timestamptz,
  completed_at timestamptz
);

ALTER TABLE supplier_service
  ADD COLUMN kind text NOT NULL DEFAULT 'topup' CHECK (kind IN ('topup', 'code')),
  -- Whether the supplier ever listed it: what the store knew without a list is not gone for want of one.
  ADD COLUMN is_listed boolean NOT NULL DEFAULT false,
  -- Whether the present run has read its products to the end, and how often it tried in vain.
  ADD COLUMN is_read boolean NOT NULL DEFAULT false,
  ADD COLUMN tries smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN supplier_service.field_names IS
  'What the supplier''s fields are filled with, by templates over the shop''s keys: {"player_id": "{user_id}|{zone_id}"}. Empty: they have the same names.';

ALTER TABLE supplier_product ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();

-- Every cost of the last months, so that a list can show what has become dearer since a day.
CREATE TABLE supplier_cost (
  product_id bigint NOT NULL REFERENCES supplier_product,
  valid_from timestamptz NOT NULL DEFAULT now(),
  cost numeric(20, 8) NOT NULL,
  currency text NOT NULL,
  PRIMARY KEY (product_id, valid_from)
);
CREATE INDEX supplier_cost_age ON supplier_cost (valid_from);

ALTER TABLE offer_source
  -- The cost that it was taken with, or that an operator said yes to later.
  ADD COLUMN accepted_cost numeric(20, 8) CHECK (accepted_cost > 0),
  ADD COLUMN accepted_currency text,
  ADD COLUMN closed_at timestamptz,
  ADD CHECK (num_nulls(accepted_cost, accepted_currency) IN (0, 2));

-- What an order by a source buys, and the source's own limit in USD.
ALTER TABLE supplier_order
  ADD COLUMN supplier_product_id bigint REFERENCES supplier_product,
  ADD COLUMN cost_at_most numeric(20, 8) CHECK (cost_at_most > 0);

-- Counts the changes of an offer's list of sources.
ALTER TABLE offer ADD COLUMN sources_version int NOT NULL DEFAULT 1;
