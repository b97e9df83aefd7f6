-- How a customer can be reached, given at registration or later: proves who asks for the account back.
ALTER TABLE users ADD COLUMN contact text NOT NULL DEFAULT '' CHECK (length(contact) <= 200);

-- Who can't log in asks with what only the account's owner knows. Whether it is right is for the operator alone.
ALTER TABLE support_message
  ADD COLUMN kind text NOT NULL DEFAULT 'question' CHECK (kind IN ('question', 'recovery')),
  -- The account that has the nickname, if any had it then.
  ADD COLUMN account_id int REFERENCES users,
  -- The order number as it was typed.
  ADD COLUMN named_order text NOT NULL DEFAULT '';
