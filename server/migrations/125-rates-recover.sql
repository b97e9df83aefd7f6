-- A day's reading is done once one succeeded; one that failed is tried again, with growing pauses.
ALTER TABLE currency_settings
  ADD COLUMN last_success_at timestamptz,
  ADD COLUMN failures int NOT NULL DEFAULT 0 CHECK (failures >= 0);
UPDATE currency_settings SET last_success_at = last_run_at WHERE last_error IS NULL;
