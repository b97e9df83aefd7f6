-- Pictures that were uploaded, as they are served: docs/decisions/064-pictures-are-drawn-again.md.
CREATE TABLE picture (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Made from what it is for and its bytes, and its name in the address.
  hash text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{32}$'),
  use text NOT NULL CHECK (use IN ('product', 'logo', 'icon')),
  type text NOT NULL CHECK (type IN ('webp', 'png')),
  width int NOT NULL CHECK (width > 0),
  height int NOT NULL CHECK (height > 0),
  large bytea NOT NULL,
  -- For lists; of an icon, for where a phone shows it.
  small bytea NOT NULL,
  added_by int REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was last uploaded, or chosen for something. One that nothing shows goes a while after that.
  used_at timestamptz NOT NULL DEFAULT now()
);
-- They are compressed already.
ALTER TABLE picture ALTER COLUMN large SET STORAGE EXTERNAL, ALTER COLUMN small SET STORAGE EXTERNAL;
