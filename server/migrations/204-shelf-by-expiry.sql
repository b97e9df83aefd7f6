-- Codes that expire sooner are sold sooner. `shelf`, by which codes are taken, was a copy of the code's id. Those with a
-- day of expiry now stand before all others, by that day and then by id; the others stay where they were.
CREATE FUNCTION shelf_place(code_id bigint, expires_on date) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT code_id + coalesce((expires_on - date '2000-01-01' - 4194304)::bigint * 1099511627776, 0)
$$;

ALTER TABLE code ALTER COLUMN shelf DROP EXPRESSION;

-- For programs that leave it out.
CREATE FUNCTION place_on_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.shelf := shelf_place(NEW.id, (SELECT expires_on FROM code_batch WHERE id = NEW.batch_id));
  RETURN NEW;
END $$;
CREATE TRIGGER code_placed BEFORE INSERT ON code FOR EACH ROW
  WHEN (NEW.shelf IS NULL) EXECUTE FUNCTION place_on_shelf();

-- Whether the codes of a batch stand where its day of expiry says. A job moves them, some at a time: all at once they
-- would be locked meanwhile, and nobody could buy one.
ALTER TABLE code_batch ADD COLUMN is_shelved boolean NOT NULL DEFAULT true;
UPDATE code_batch SET is_shelved = false WHERE expires_on IS NOT NULL;
CREATE INDEX code_batch_to_shelve ON code_batch (id) WHERE NOT is_shelved;
CREATE FUNCTION shelve_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_shelved := false;
  RETURN NEW;
END $$;
CREATE TRIGGER code_batch_moved BEFORE UPDATE OF expires_on ON code_batch FOR EACH ROW
  WHEN (NEW.expires_on IS DISTINCT FROM OLD.expires_on) EXECUTE FUNCTION shelve_again();
