-- Two admins may edit how rates are kept, or one code, at one time: who sends the version they saw is told when somebody
-- was quicker. A run of the update, and the sale of a code, are no edits.
ALTER TABLE currency_settings ADD COLUMN version int NOT NULL DEFAULT 1;
CREATE TRIGGER currency_settings_version
  BEFORE UPDATE OF auto_update, update_time, timezone, source, max_jump_percent, markup_percent ON currency_settings
  FOR EACH ROW EXECUTE FUNCTION count_version();

-- Counted by the statement of the edit: a trigger would be asked at every sale.
ALTER TABLE code ADD COLUMN version int NOT NULL DEFAULT 1;
