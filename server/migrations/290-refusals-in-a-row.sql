-- A supplier that refuses every order has each buyer refunded, and nobody is told: docs/suppliers.md. Orders are counted, not
-- their units, as the fault may be that of one order.
ALTER TABLE supplier_health ADD COLUMN refusals int NOT NULL DEFAULT 0,
  ADD COLUMN refused_order text;
