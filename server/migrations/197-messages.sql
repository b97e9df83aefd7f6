-- Messages to operators about alerts: docs/messages.md.

-- A channel's settings as they were typed in the admin area: one JSON, sealed by the vault for `message_channel:<name>`.
CREATE TABLE message_channel (
  name text PRIMARY KEY,
  -- Null: cleared. The row stays, so that its versions go on.
  key_id int REFERENCES vault_key,
  ciphertext bytea,
  -- Counts what was typed; a rotation of the key is no other version.
  version int NOT NULL DEFAULT 1,
  changed_at timestamptz,
  changed_by int REFERENCES users,
  CHECK ((key_id IS NULL) = (ciphertext IS NULL))
);
CREATE INDEX message_channel_key ON message_channel (key_id);

CREATE TABLE message_recipient (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  channel text NOT NULL CHECK (channel IN ('telegram', 'email')),
  address text NOT NULL CHECK (address <> ''),
  language text NOT NULL CHECK (language IN ('ru', 'en', 'uz')),
  -- Null: all of them.
  alert_kinds text[] CHECK (cardinality(alert_kinds) > 0),
  -- In the shop's time zone; from a later hour to an earlier one is over midnight.
  quiet_from time,
  quiet_to time,
  is_on boolean NOT NULL DEFAULT true,
  -- Why the store itself switched it off, and what the channel said.
  fault text CHECK (fault IS NULL OR NOT is_on),
  words text CHECK (words IS NULL OR fault IS NOT NULL),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (channel, address),
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL)),
  CHECK (quiet_from <> quiet_to)
);
CREATE TRIGGER message_recipient_version BEFORE UPDATE ON message_recipient FOR EACH ROW EXECUTE FUNCTION count_version();

-- The outbox. A worker on any node sends what is due, one row at a time.
CREATE TABLE message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient_id int NOT NULL REFERENCES message_recipient ON DELETE CASCADE,
  channel text NOT NULL,
  language text NOT NULL,
  -- What its text is made of: `messagePayload` of the contract. Nothing secret.
  payload jsonb NOT NULL,
  -- Sent in quiet hours too.
  is_urgent boolean NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  -- A worker sends it until then; one that died leaves it to the next.
  leased_until timestamptz,
  -- It is given up a day later; trying again by hand gives it another day.
  tried_since timestamptz NOT NULL DEFAULT now(),
  fault text,
  -- The fault in the channel's own words.
  words text,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX message_due ON message (channel, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX message_to ON message (recipient_id, id);

-- Which recipient was told of which alert, so that each is told once, and reminded once a day.
CREATE TABLE message_alert (
  recipient_id int NOT NULL REFERENCES message_recipient ON DELETE CASCADE,
  alert_id bigint NOT NULL REFERENCES alert ON DELETE CASCADE,
  -- The last message that told of it; null: so old that it was forgotten.
  message_id bigint REFERENCES message ON DELETE SET NULL,
  queued_at timestamptz NOT NULL DEFAULT now(),
  -- When the recipient was told that it is over, or did not have to be.
  over_at timestamptz,
  PRIMARY KEY (recipient_id, alert_id)
);
CREATE INDEX message_alert_lately ON message_alert (recipient_id, queued_at);
CREATE INDEX message_alert_open ON message_alert (alert_id) WHERE over_at IS NULL;
CREATE INDEX message_alert_message ON message_alert (message_id);
