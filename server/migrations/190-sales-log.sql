-- The log of sales reads what is new by time: docs/decisions/047-backups-over-the-replication-protocol.md.
CREATE INDEX code_sale_by_time ON code_sale USING brin (created_at);
CREATE INDEX transfer_by_time ON transfer USING brin (created_at);
CREATE INDEX supplier_order_by_time ON supplier_order USING brin (created_at);
