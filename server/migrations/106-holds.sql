-- Since when the balance and the codes of a customer wait for the end of a dispute, or for an operator.
ALTER TABLE users ADD COLUMN held_since timestamptz;

-- An operator sends it on its way though its buyer is held.
ALTER TABLE delivery ADD COLUMN sent_though_held boolean NOT NULL DEFAULT false;
