-- Whether a supplier was ever asked to spend a code: such a code is not deleted.
CREATE INDEX supplier_order_of_code ON supplier_order (code_id) WHERE code_id IS NOT NULL;
