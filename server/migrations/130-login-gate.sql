-- How often logging in as a user has failed lately from devices that never logged in, and when the next try is heard.
CREATE TABLE login_gate (
  user_id int PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  failures int NOT NULL CHECK (failures >= 0),
  seen_at timestamptz NOT NULL DEFAULT now(),
  next_at timestamptz NOT NULL DEFAULT now()
);
