-- What the staff gave away, by which the limits of their roles are kept, and what waits for a colleague's yes (docs/staff.md).

CREATE TABLE staff_spending (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES users,
  currency text NOT NULL CHECK (currency IN ('USD', 'RUB')),
  -- Minor units, refunded or put into or taken out of a balance.
  amount bigint NOT NULL CHECK (amount > 0),
  spent_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX staff_spending_of_user ON staff_spending (user_id, currency, spent_at);
CREATE INDEX staff_spending_age ON staff_spending (spent_at);

-- A call that was above its caller's limit, as it was sent.
CREATE TABLE approval (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The call's operationId.
  call text NOT NULL,
  params jsonb NOT NULL,
  body jsonb NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency IN ('USD', 'RUB')),
  asked_by int NOT NULL REFERENCES users,
  asked_at timestamptz NOT NULL DEFAULT now(),
  decision text CHECK (decision IN ('yes', 'no')),
  decided_by int REFERENCES users,
  decided_at timestamptz,
  CHECK ((decision IS NULL) = (decided_by IS NULL) AND (decision IS NULL) = (decided_at IS NULL)),
  -- Nobody says yes to oneself.
  CHECK (decision IS DISTINCT FROM 'yes' OR decided_by <> asked_by)
);
-- One and the same call waits once, however often it is sent.
CREATE UNIQUE INDEX approval_waiting ON approval (asked_by, call, md5(params::text || body::text)) WHERE decision IS NULL;
