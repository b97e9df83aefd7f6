-- What a nickname looks like, whatever letters it is written with (Unicode Technical Standard 39). None: the nickname is
-- older than this column, and looks like one that has it.
ALTER TABLE users ADD COLUMN nickname_skeleton text;
CREATE UNIQUE INDEX users_nickname_skeleton ON users (nickname_skeleton);
