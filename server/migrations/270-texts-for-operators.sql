-- The owner's own texts of what operators are told of alerts; none: those of the store.
INSERT INTO shop_setting (section, version, value) VALUES ('operators', 1, '{}');
