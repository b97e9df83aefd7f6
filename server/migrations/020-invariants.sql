-- What the last look at each invariant of docs/reliability.md found.
CREATE TABLE invariant_check (
  number smallint PRIMARY KEY,
  offenders int NOT NULL,
  sample text[] NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now()
);
