-- The owner's own texts of what customers are told; none: those of the store.
INSERT INTO shop_setting (section, version, value) VALUES ('notifications', 1, '{}');
