import type { Language } from '@olmos/contract/fields'
import { sql } from '../../platform/database.ts'

/**
 * The region a code works in, in the customer's language, as every list of what is or was bought shows it: null for a
 * code that works everywhere, and for a top-up. Needs `region`, left joined by the offer's region, in scope.
 */
export const regionColumn = (language: Language) => sql`
  CASE WHEN region.id IS NOT NULL THEN json_build_object('id', region.id,
    'name', coalesce(region.translations->>${language}::text, region.name), 'flag', region.flag) END`
