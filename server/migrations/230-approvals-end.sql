-- What waits for a colleague's yes ends by itself after a while, and whoever asked for it can withdraw it (docs/staff.md).

-- What waits already, and what the version before this one still keeps, has three days from now.
ALTER TABLE approval ADD COLUMN expires_at timestamptz NOT NULL DEFAULT now() + interval '72 hours';

ALTER TABLE approval DROP CONSTRAINT approval_decision_check;
ALTER TABLE approval ADD CONSTRAINT approval_decision_check CHECK (decision IN ('yes', 'no', 'withdrawn', 'expired'));
-- Nobody decides that time is over.
ALTER TABLE approval DROP CONSTRAINT approval_check;
ALTER TABLE approval ADD CONSTRAINT approval_decided_check CHECK (
  (decision IS NULL) = (decided_at IS NULL)
  AND (decided_by IS NULL) = (decision IS NULL OR decision = 'expired'));
ALTER TABLE approval ADD CONSTRAINT approval_withdrawn_check
  CHECK (decision IS DISTINCT FROM 'withdrawn' OR decided_by = asked_by);

CREATE INDEX approval_by_expiry ON approval (expires_at) WHERE decision IS NULL;
