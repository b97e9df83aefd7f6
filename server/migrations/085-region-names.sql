-- The name is the Russian one, as with the texts of products and promotions; other languages may have one of their own.
ALTER TABLE region ADD COLUMN translations jsonb NOT NULL DEFAULT '{}';
