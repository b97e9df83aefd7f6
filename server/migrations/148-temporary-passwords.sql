-- Chosen by somebody else, an admin or who set the store up: whoever logs in with it must choose another first.
ALTER TABLE users ADD COLUMN password_is_temporary boolean NOT NULL DEFAULT false;
