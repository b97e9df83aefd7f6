-- Whatever purchases, payments and visits draw from is bigint: 2,147,483,647 rows are a few years of a busy shop. This
-- rewrites the tables under a lock; docs/decisions/027-notify-after-commit.md says how long that takes.
ALTER TABLE cart_item ALTER COLUMN id TYPE bigint;
ALTER TABLE session ALTER COLUMN id TYPE bigint;
ALTER TABLE alert ALTER COLUMN id TYPE bigint;
ALTER TABLE dispute_change ALTER COLUMN dispute_id TYPE bigint;
ALTER TABLE dispute ALTER COLUMN id TYPE bigint, ALTER COLUMN payment_id TYPE bigint;
ALTER TABLE refund ALTER COLUMN id TYPE bigint, ALTER COLUMN card_refund_id TYPE bigint;
ALTER TABLE card_refund ALTER COLUMN id TYPE bigint, ALTER COLUMN payment_id TYPE bigint;
ALTER TABLE payment_event ALTER COLUMN payment_id TYPE bigint;
ALTER TABLE payment ALTER COLUMN id TYPE bigint;
