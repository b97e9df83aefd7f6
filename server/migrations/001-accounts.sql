-- Facts that may only be added to carry this trigger: the ledger, sales, reveals, prices, the audit trail.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TABLE users (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  nickname text NOT NULL,
  -- The nickname without regard to case: what must be unique, and what one logs in by.
  nickname_key text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  role text NOT NULL DEFAULT 'customer' CHECK (role IN ('customer', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE session (
  -- SHA-256 of the token: a stolen dump opens no session.
  token_hash bytea PRIMARY KEY,
  user_id int NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  renewed_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_of_user ON session (user_id);

-- Kept by rate-limiter-flexible; its shape is the library's.
CREATE TABLE rate_limit (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- The first answer under an Idempotency-Key, written in the transaction it answers for.
CREATE TABLE idempotent_call (
  user_id int NOT NULL REFERENCES users,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status smallint,
  answer text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotent_call_age ON idempotent_call (created_at);
