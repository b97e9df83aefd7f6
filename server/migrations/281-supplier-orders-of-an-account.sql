-- At which account of the shop an order was sent, as a keyed hash of what names the account; null where nobody knows. It is
-- not sent again at another one, which has never seen its key.
ALTER TABLE supplier_order
  ADD COLUMN account_mark bytea,
  -- The order certainly never left the shop: its supplier may be asked again for the same unit.
  ADD COLUMN is_unsent boolean NOT NULL DEFAULT false;
