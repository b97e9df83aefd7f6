-- With so few codes a package runs out; null where the shop's number says it.
ALTER TABLE offer ADD COLUMN low_stock int CHECK (low_stock BETWEEN 0 AND 10000);
