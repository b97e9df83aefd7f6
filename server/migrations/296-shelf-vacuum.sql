-- A sale walks past the entries of all codes that were sold before it, until a vacuum takes those out of the index of the shelf.
-- By itself PostgreSQL does that once a fifth of the codes was sold, and not while they are on less than a fiftieth of the
-- pages: of a million codes each sale would walk past up to two hundred thousand.
ALTER TABLE code SET (vacuum_index_cleanup = on, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
