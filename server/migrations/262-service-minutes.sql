-- A row for each minute in which some node could sell, with what all nodes answered in it: what the availability is counted from.
CREATE TABLE service_minute (
  minute timestamptz PRIMARY KEY,
  answers int NOT NULL CHECK (answers >= 0),
  -- Those of 5xx.
  faults int NOT NULL CHECK (faults BETWEEN 0 AND answers)
);
