-- The second factor of an admin: a secret shared with an app that shows codes.
CREATE TABLE second_factor (
  user_id int PRIMARY KEY REFERENCES users,
  key_id int NOT NULL REFERENCES vault_key,
  ciphertext bytea NOT NULL,
  -- None: shown, but no code of it was given yet. Nobody is asked for it until then.
  enrolled_at timestamptz,
  -- Of the last code that was taken: none is taken twice, and none from before it.
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX second_factor_of_key ON second_factor (key_id);

-- For who has lost the app. Each opens once; only a keyed digest of it is kept.
CREATE TABLE recovery_code (
  user_id int NOT NULL REFERENCES second_factor ON DELETE CASCADE,
  digest bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, digest)
);

-- Until then the session may move money and the like: its second factor was given a moment ago.
ALTER TABLE session ADD COLUMN confirmed_until timestamptz;
