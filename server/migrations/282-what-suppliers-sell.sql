-- What is asked of each supplier that is on, so that the catalogue sells nothing that nobody delivers: nothing of one that is
-- off. `sells_codes` says the same of codes to nodes of the version before.
ALTER TABLE supplier_health ADD COLUMN sells text[] NOT NULL DEFAULT '{}',
  ADD COLUMN needs_item boolean NOT NULL DEFAULT true,
  ADD COLUMN redeems_codes boolean NOT NULL DEFAULT false;
