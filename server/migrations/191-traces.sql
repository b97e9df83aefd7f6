-- The span of the purchase (W3C Trace Context), which the worker that delivers a unit resumes; null where none was recorded.
ALTER TABLE delivery ADD COLUMN traceparent text;
-- The span that made the payment, which the webhook that settles it resumes.
ALTER TABLE payment ADD COLUMN traceparent text;
