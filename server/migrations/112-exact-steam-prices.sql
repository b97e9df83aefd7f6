-- The price of a Steam item follows from its amount alone, rounded up once. What was sold before, or is sold by a version that
-- still runs, was rounded to whole cents first.
ALTER TABLE topup_target ADD COLUMN is_exact boolean NOT NULL DEFAULT false;
