-- PostgreSQL prepares each part of a statement before it runs, also a look-up that no row comes to: two of them for the cost
-- of a code that was bought in the currency it is sold in. As a function they cost only those that need them
-- (docs/decisions/079-what-a-sale-prepares.md).
-- Converts at the rates in force, to eight places; null without a rate.
CREATE FUNCTION in_currency(amount numeric, given text, wanted text)
RETURNS numeric LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN round(amount * CASE wanted WHEN 'USD' THEN 1 ELSE (
      SELECT rate FROM currency_rate WHERE from_currency = 'USD' AND to_currency = wanted) END
    / CASE given WHEN 'USD' THEN 1 ELSE (
      SELECT rate FROM currency_rate WHERE from_currency = 'USD' AND to_currency = given) END, 8);
END $$;
