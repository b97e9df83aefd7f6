-- A supplier said when it wants to be asked again (Retry-After): nothing is sent to it, and no order looked up there, before.
ALTER TABLE supplier_health ADD COLUMN quiet_until timestamptz;
