-- What was tried before then does not count: an operator has it tried anew.
ALTER TABLE delivery ADD COLUMN tried_since timestamptz NOT NULL DEFAULT now();
