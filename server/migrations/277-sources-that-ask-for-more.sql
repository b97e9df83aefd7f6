-- A source is closed as well while its supplier asks for what the product does not.
ALTER TABLE offer_source DROP CONSTRAINT offer_source_closed_reason_check;
ALTER TABLE offer_source ADD CONSTRAINT offer_source_closed_reason_check
  CHECK (closed_reason IN ('gone', 'cost_moved', 'fields'));
