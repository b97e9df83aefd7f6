-- When an alert that an operator had acknowledged was opened again: what was told of it before is not the news.
ALTER TABLE alert ADD COLUMN reopened_at timestamptz;
