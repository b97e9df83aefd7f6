-- What has become the operator's is found along it every second, whenever it is looked at next.
CREATE INDEX delivery_overdue ON delivery (tried_since) WHERE operator_since IS NULL AND decided_at IS NULL;
