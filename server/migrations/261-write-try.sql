-- One row, which nodes write now and then to see whether anything can be written at all: docs/decisions/069-ready-tries-a-write.md.
CREATE TABLE write_try (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  tried_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO write_try DEFAULT VALUES;
