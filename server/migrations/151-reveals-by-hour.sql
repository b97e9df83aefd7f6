-- A receipt that is read again and again says once an hour who saw its codes: these rows can never be deleted. Of which
-- sale it was stands with it, so that a code sold anew to the same buyer is told apart. Both are null in older rows, in
-- what an older version writes meanwhile, and in what an admin looked at, which is written down every time.
ALTER TABLE code_reveal
  ADD COLUMN sale_number smallint,
  ADD COLUMN hour timestamp,
  ADD CHECK ((sale_number IS NULL) = (hour IS NULL));
CREATE UNIQUE INDEX one_code_reveal_an_hour ON code_reveal (code_id, user_id, place, sale_number, hour)
  WHERE hour IS NOT NULL;
