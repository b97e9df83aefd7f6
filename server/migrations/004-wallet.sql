-- Who can hold money: a customer's wallet in one currency, or one of the shop's own accounts.
-- Only wallets keep a balance. A shop account's balance is the sum of its transfers (account_balance below):
-- a stored one would be a row that every sale has to wait for.
CREATE TABLE account (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('wallet', 'sales', 'adjustments', 'card')),
  currency text NOT NULL CHECK (currency IN ('USD', 'RUB')),
  user_id int REFERENCES users,
  balance bigint CHECK (balance >= 0),
  CHECK ((kind = 'wallet') = (user_id IS NOT NULL)),
  CHECK ((kind = 'wallet') = (balance IS NOT NULL)),
  UNIQUE (id, currency),
  UNIQUE NULLS NOT DISTINCT (user_id, currency, kind)
);
INSERT INTO account (kind, currency)
SELECT kind, currency FROM unnest(ARRAY['sales', 'adjustments', 'card']) kind, unnest(ARRAY['USD', 'RUB']) currency;

-- One movement of money: a row with two ends. Both ends are of its currency (the foreign keys say so),
-- so the sum over all accounts of a currency is zero by construction.
CREATE TABLE transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('purchase', 'refund', 'topup', 'adjustment', 'card', 'payout')),
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  debit_account int NOT NULL,
  credit_account int NOT NULL CHECK (credit_account <> debit_account),
  -- A wallet's balance right after this transfer; null for the shop's accounts.
  debit_balance bigint CHECK (debit_balance >= 0),
  credit_balance bigint CHECK (credit_balance >= 0),
  order_id text REFERENCES orders,
  -- What this transfer is for, when it may happen only once ('purchase:<order>').
  key text UNIQUE,
  reason text,
  made_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (debit_account, currency) REFERENCES account (id, currency),
  FOREIGN KEY (credit_account, currency) REFERENCES account (id, currency)
);
CREATE INDEX transfer_debits ON transfer (debit_account, id);
CREATE INDEX transfer_credits ON transfer (credit_account, id);
CREATE INDEX transfer_of_order ON transfer (order_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER transfer_append_only BEFORE UPDATE OR DELETE ON transfer
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfer_keep BEFORE TRUNCATE ON transfer EXECUTE FUNCTION refuse_change();

CREATE VIEW account_balance AS
SELECT account.id, account.kind, account.currency, account.user_id,
  coalesce(account.balance,
    (SELECT coalesce(sum(amount), 0) FROM transfer WHERE credit_account = account.id)
    - (SELECT coalesce(sum(amount), 0) FROM transfer WHERE debit_account = account.id))::bigint AS balance
FROM account;

-- Every user has a wallet in each currency from the first moment on.
CREATE FUNCTION open_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account (kind, currency, user_id, balance)
  SELECT 'wallet', currency, NEW.id, 0 FROM unnest(ARRAY['USD', 'RUB']) currency;
  RETURN NULL;
END $$;
CREATE TRIGGER users_open_wallets AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION open_wallets();
