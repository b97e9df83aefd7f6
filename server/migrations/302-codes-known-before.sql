-- Outside a transaction
-- The codes that are there already, while others are sold, written and deleted: what is written meanwhile notes itself (301).
INSERT INTO code_fingerprint (fingerprint, code_id) SELECT fingerprint, id FROM code ON CONFLICT DO NOTHING;
-- What was deleted or rewritten between the look and the note.
DELETE FROM code_fingerprint AS known
WHERE NOT EXISTS (SELECT FROM code WHERE code.id = known.code_id AND code.fingerprint = known.fingerprint);
