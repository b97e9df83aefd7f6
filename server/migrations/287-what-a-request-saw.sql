-- A yes does what was asked for, and not once more what was done meanwhile: docs/staff.md.

-- The newest of what was done of the same kind when it was asked for, 0 for nothing: a refund of the order, an order at a
-- supplier. Null where it can be done only once anyway, and in what an older version of the store keeps.
ALTER TABLE approval ADD COLUMN done_before bigint;
