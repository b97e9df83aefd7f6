-- Pictures that lie in a bucket: docs/decisions/067-pictures-in-a-bucket.md.
-- Whatever was put there and has not been removed since, so that neither an upload that failed nor a bucket that was away
-- leaves anything behind.
CREATE TABLE picture_object (
  -- Of the large picture; the small one lies beside it.
  name text PRIMARY KEY CHECK (name ~ '^[0-9a-f]{32}-[0-9a-f]{8}\.(webp|png)$'),
  -- From when on it is removed. Null as long as a picture has it.
  leaves_at timestamptz
);
CREATE INDEX picture_object_leaving ON picture_object (leaves_at) WHERE leaves_at IS NOT NULL;

ALTER TABLE picture
  ALTER COLUMN large DROP NOT NULL,
  ALTER COLUMN small DROP NOT NULL,
  -- Where its bytes are instead.
  ADD COLUMN object text UNIQUE REFERENCES picture_object,
  ADD COLUMN large_bytes int CHECK (large_bytes > 0),
  ADD COLUMN small_bytes int CHECK (small_bytes > 0),
  ADD CONSTRAINT picture_is_somewhere CHECK (
    num_nulls(large, small) = 0 AND num_nulls(object, large_bytes, small_bytes) = 3
    OR num_nulls(large, small) = 2 AND num_nulls(object, large_bytes, small_bytes) = 0);

-- What a backup of the last thirty days shows is still in the bucket when that backup is restored.
CREATE FUNCTION let_picture_object_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE picture_object SET leaves_at = now() + interval '30 days' WHERE name = OLD.object;
  RETURN NULL;
END $$;
CREATE TRIGGER picture_gone AFTER DELETE ON picture FOR EACH ROW WHEN (OLD.object IS NOT NULL)
  EXECUTE FUNCTION let_picture_object_go();
