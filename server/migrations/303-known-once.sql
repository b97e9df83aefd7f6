-- Runs beside programs that know 300-whole-items.sql
-- A node of the version before still looks for a fingerprint among all codes until it is replaced: as right, and slower. The
-- name stays that by which a code that is there already is told.
ALTER TABLE code DROP CONSTRAINT code_fingerprint_key;
ALTER TABLE code_fingerprint RENAME CONSTRAINT code_fingerprint_pkey TO code_fingerprint_key;
