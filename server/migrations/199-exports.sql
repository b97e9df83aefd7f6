-- Who may download what, for a minute and once. A browser that downloads sends no token, so the address is one.
CREATE TABLE export_ticket (
  -- SHA-256 of the ticket.
  ticket_hash bytea PRIMARY KEY,
  user_id int NOT NULL REFERENCES users,
  -- Ends with the session it was made in.
  session_hash bytea NOT NULL REFERENCES session ON DELETE CASCADE,
  request jsonb NOT NULL,
  language text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX export_ticket_of_session ON export_ticket (session_hash);
