-- A sale is sent with its COMMIT, so nobody looks at how many rows a statement touched before the transaction ends. A statement
-- that finds less than the sale needs fails by this function, and the store says what is missing from what it names
-- (docs/decisions/075-a-sale-is-sent-with-its-commit.md). It is called on no other way, so a sale does not pay for it.
CREATE FUNCTION refuse_sale(lacking text, place int DEFAULT NULL, had bigint DEFAULT NULL) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a sale lacks %', lacking USING ERRCODE = 'OL001',
    DETAIL = jsonb_build_object('what', lacking, 'place', place, 'had', had);
END $$;
