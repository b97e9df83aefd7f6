-- What the owner of a session knows it by: none of it for sessions that are older than this.
ALTER TABLE session
  ADD COLUMN id int GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- Families only, such as Chrome and Android; none: unknown. The header itself is not kept.
  ADD COLUMN browser text,
  ADD COLUMN system text,
  -- Of the login: /24, or /64 of version 6.
  ADD COLUMN network text;
