-- Every sale pays for each of these; docs/decisions/026-what-a-sale-pays-for.md says what each cost and why it may go.

-- Users are never deleted, so this could only refuse what can't happen.
ALTER TABLE idempotent_call DROP CONSTRAINT idempotent_call_user_id_fkey;
-- Keys are forgotten once a night, in the order in which they were written.
DROP INDEX idempotent_call_age;
CREATE INDEX idempotent_call_age ON idempotent_call USING brin (created_at);

-- A rotation of keys reads all codes anyway.
DROP INDEX code_of_key;

-- The history of a wallet is read by these, and no list is made of a shop account's entries.
DROP INDEX transfer_debits, transfer_credits;
CREATE INDEX transfer_debits ON transfer (debit_account, id) WHERE debit_balance IS NOT NULL;
CREATE INDEX transfer_credits ON transfer (credit_account, id) WHERE credit_balance IS NOT NULL;
CREATE OR REPLACE VIEW account_balance AS
SELECT account.id, account.kind, account.currency, account.user_id,
  coalesce(account.balance, shop.balance, 0)::bigint AS balance
FROM account LEFT JOIN (
  SELECT account_id, sum(change) AS balance
  FROM (
    SELECT credit_account AS account_id, amount AS change FROM transfer WHERE credit_balance IS NULL
    UNION ALL SELECT debit_account, -amount FROM transfer WHERE debit_balance IS NULL) AS entry
  GROUP BY account_id) AS shop ON shop.account_id = account.id AND account.balance IS NULL;

-- The trigger reads the price that an item is sold at, so it also refuses one that never was. Prices are only added.
CREATE OR REPLACE FUNCTION freeze_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT offer_price.item_id, offer.name INTO NEW.supplier_item, NEW.offer_name
  FROM offer_price JOIN offer ON offer.id = offer_price.offer_id
  WHERE offer_price.offer_id = NEW.offer_id AND offer_price.version = NEW.price_version;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the offer % never had a price of version %', NEW.offer_id, NEW.price_version
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
ALTER TABLE order_item DROP CONSTRAINT order_item_offer_id_price_version_fkey;
