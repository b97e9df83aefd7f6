-- Who was logged in when a message was written; none: name and id are what somebody typed.
ALTER TABLE support_message ADD COLUMN sender_id int REFERENCES users;
