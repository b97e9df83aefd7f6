-- The day of an import that is saved again after the shop's time zone was corrected ends at another moment: its codes are
-- compared with that too.
DROP TRIGGER code_batch_moved ON code_batch;
CREATE TRIGGER code_batch_moved BEFORE UPDATE OF expires_on, sold_until ON code_batch FOR EACH ROW
  WHEN (NEW.expires_on IS DISTINCT FROM OLD.expires_on OR NEW.sold_until IS DISTINCT FROM OLD.sold_until)
  EXECUTE FUNCTION shelve_again();
