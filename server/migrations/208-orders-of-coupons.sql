-- Outside a transaction
-- How often a customer has used a coupon, and who has. A sale without a coupon pays nothing for it.
DROP INDEX CONCURRENTLY IF EXISTS orders_of_coupon;
CREATE INDEX CONCURRENTLY orders_of_coupon ON orders (coupon_id, user_id) WHERE coupon_id IS NOT NULL;
