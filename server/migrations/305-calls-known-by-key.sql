-- Runs beside programs that know 303-known-once.sql
-- The name stays that by which a repetition is told.
ALTER TABLE idempotent_call DROP CONSTRAINT idempotent_call_pkey;
ALTER TABLE idempotent_call ADD CONSTRAINT idempotent_call_pkey PRIMARY KEY USING INDEX idempotent_call_by_key;
