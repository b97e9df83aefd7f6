-- What the owner sets in the admin area, section by section. Every version stays: the newest is in force, and an older one can be
-- set again.
CREATE TABLE shop_setting (
  section text NOT NULL CHECK (section IN ('shop', 'texts', 'numbers')),
  version int NOT NULL CHECK (version > 0),
  value jsonb NOT NULL CHECK (jsonb_typeof(value) = 'object'),
  -- None: it came with the store.
  changed_by int REFERENCES users,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (section, version)
);
CREATE TRIGGER shop_setting_append_only BEFORE UPDATE OR DELETE ON shop_setting
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER shop_setting_keep BEFORE TRUNCATE ON shop_setting EXECUTE FUNCTION refuse_change();
INSERT INTO shop_setting (section, version, value) VALUES
  ('shop', 1, '{"name": "Olmos", "messenger_url": null, "email": null, "phone": null, "working_hours": null}'),
  ('texts', 1, '{}'), ('numbers', 1, '{}');
