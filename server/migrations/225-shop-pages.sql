-- Runs beside programs that know 211-customer-notifications.sql
-- The pages an owner writes are sections of what the shop says, each in its versions. Which sections there are stands in the
-- contract, so that another one needs no change here.
ALTER TABLE shop_setting DROP CONSTRAINT shop_setting_section_check,
  ADD CONSTRAINT shop_setting_section_check CHECK (section ~ '^[a-z]{1,20}$'),
  -- A sale reads it, and no text of a page for it.
  ADD COLUMN is_published boolean NOT NULL GENERATED ALWAYS AS (value @> '{"is_published": true}') STORED;
INSERT INTO shop_setting (section, version, value)
  SELECT section, 1, '{"is_published": false, "texts": {}}'
  FROM unnest(ARRAY['terms', 'privacy', 'refunds', 'about', 'requisites']) AS section;

-- Which version of the terms was published when it was ordered; null: none was. No foreign key: every order would lock the one
-- row, and a version is never changed or deleted.
ALTER TABLE orders ADD COLUMN terms_version int;
