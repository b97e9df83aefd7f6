-- Outside a transaction
-- The codes that are there already, while others are sold, written and deleted: what is written meanwhile notes itself (301).
INSERT INTO code_fingerprint (fingerprint, code_id) SELECT fingerprint, id FROM code ON CONFLICT DO NOTHING;
-- Until all have ended who wrote before that was seen: what they delete or rewrite has a note that they did not see.
DO $$ DECLARE mark xid8 := pg_current_xact_id(); BEGIN WHILE pg_snapshot_xmin(pg_current_snapshot()) < mark LOOP PERFORM pg_sleep(0.05); END LOOP; END $$;
-- What was deleted or rewritten between the look and the note.
DELETE FROM code_fingerprint AS known
WHERE NOT EXISTS (SELECT FROM code WHERE code.id = known.code_id AND code.fingerprint = known.fingerprint);
