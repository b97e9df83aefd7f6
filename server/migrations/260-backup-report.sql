-- What was last done about backups, wherever that is: the nodes need not see the folder they lie in. There is no row before
-- the first backup, or the first process that looks after a folder for them.
CREATE TABLE backup_report (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  -- When the newest backup that is complete was begun. Null where there is none.
  newest_at timestamptz,
  -- When one was last restored for a look and found sound.
  verified_at timestamptz,
  -- Why the one that was looked at last is none to rely on.
  fault text,
  -- Whether the WAL is to be kept beside the backups.
  keeps_wal boolean NOT NULL DEFAULT false,
  -- Everything that was committed before is kept.
  wal_until timestamptz,
  -- Whether WAL is missing since the newest backup.
  has_wal_gap boolean NOT NULL DEFAULT false,
  -- Whether the WAL is to be copied to a bucket, and up to when it was.
  copies_wal boolean NOT NULL DEFAULT false,
  copied_until timestamptz
);
