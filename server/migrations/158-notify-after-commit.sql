-- NOTIFY in a transaction makes the commits of the whole server wait for each other. The store notifies once it has
-- committed instead: docs/decisions/027-notify-after-commit.md.
DROP TRIGGER status_change_tell ON status_change;
DROP TRIGGER refund_part_tell ON refund_part;
DROP FUNCTION tell_of_status();
