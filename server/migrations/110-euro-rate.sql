-- What Kinguin counts in. Nobody has said this rate yet (its source is `fixed`), so nothing is bought by it until a source
-- or an admin does. A version that is still running updates it like the others, and buys nothing by it.
INSERT INTO currency_rate (from_currency, to_currency, rate, source) VALUES ('USD', 'EUR', 0.87, 'fixed')
  ON CONFLICT (from_currency, to_currency) DO NOTHING;
INSERT INTO currency_rate_history (rate_id, rate, source)
  SELECT id, rate, source FROM currency_rate
  WHERE to_currency = 'EUR' AND NOT EXISTS (SELECT FROM currency_rate_history WHERE rate_id = currency_rate.id);
