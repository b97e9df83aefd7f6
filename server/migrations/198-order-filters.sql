-- Outside a transaction
-- What the admin area filters orders by. Every sale pays for the first one; the others hold few rows.
DROP INDEX CONCURRENTLY IF EXISTS order_item_of_offer;
CREATE INDEX CONCURRENTLY order_item_of_offer ON order_item (offer_id);
DROP INDEX CONCURRENTLY IF EXISTS order_item_of_product;
CREATE INDEX CONCURRENTLY order_item_of_product ON order_item (product_id) WHERE product_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS topup_target_first_value;
CREATE INDEX CONCURRENTLY topup_target_first_value ON topup_target (lower(split_part(account, ' (', 1)))
  WHERE account LIKE '% (%';
DROP INDEX CONCURRENTLY IF EXISTS payment_of_email;
CREATE INDEX CONCURRENTLY payment_of_email ON payment (lower(receipt -> 'contact' ->> 'email'))
  WHERE receipt IS NOT NULL;
