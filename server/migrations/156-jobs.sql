-- Which node runs a timed job, and whether its latest time was done. Older versions used a queue in the schema pgboss, which may be dropped.
CREATE TABLE job (
  name text PRIMARY KEY,
  due timestamptz NOT NULL,
  leased_until timestamptz NOT NULL,
  is_done boolean NOT NULL DEFAULT false,
  tries int NOT NULL DEFAULT 1
);
