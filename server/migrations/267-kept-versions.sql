-- Runs beside programs that know 266-contacts-by-address.sql
-- Versions are kept too of what has a table of its own: a section is named after it, as the audit log does, such as staff-role:17.
ALTER TABLE shop_setting DROP CONSTRAINT shop_setting_section_check,
  ADD CONSTRAINT shop_setting_section_check CHECK (section ~ '^[a-z_-]{1,20}(:[\w.-]{1,100})?$');
