-- By which text a code is known, in a table of its own: it is unique there, and looked for there. A sale changes the row of its
-- code, which every index of it is told; the one of fingerprints has each on another page, and among a million codes that page
-- was read and changed for each code sold, and written whole to the log when it was the first time since a checkpoint.
CREATE TABLE code_fingerprint (
  fingerprint bytea PRIMARY KEY,
  code_id bigint NOT NULL
);

-- Whatever writes codes, a node of the version before too, which has no rights yet to a new table.
CREATE FUNCTION know_codes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO code_fingerprint (fingerprint, code_id) SELECT fingerprint, id FROM written;
  RETURN NULL;
END $$;
CREATE TRIGGER code_known AFTER INSERT ON code REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION know_codes();

CREATE FUNCTION know_codes_no_more() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM code_fingerprint AS known USING gone
  WHERE known.fingerprint = gone.fingerprint AND known.code_id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER code_known_no_more AFTER DELETE ON code REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION know_codes_no_more();

CREATE FUNCTION know_code_anew() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM code_fingerprint WHERE fingerprint = OLD.fingerprint AND code_id = OLD.id;
  INSERT INTO code_fingerprint (fingerprint, code_id) VALUES (NEW.fingerprint, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER code_rewritten AFTER UPDATE OF fingerprint ON code FOR EACH ROW
  WHEN (NEW.fingerprint <> OLD.fingerprint) EXECUTE FUNCTION know_code_anew();
