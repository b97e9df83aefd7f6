-- Within how many whole minutes of the payment half of a product's deliveries, and 95 of 100, came in the last days:
-- counted by a job, so that no page adds deliveries up. A product that too little is known of has no row.
CREATE TABLE delivery_minutes (
  product_id int PRIMARY KEY REFERENCES product,
  p50 int NOT NULL CHECK (p50 >= 1),
  p95 int NOT NULL CHECK (p95 >= p50)
);
-- Deliveries are written in the order of their payments: a small index of ranges finds those of the last days.
CREATE INDEX delivery_paid ON delivery USING brin (created_at);
