import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { type GameUnits, gameUnits, shopApi, type UnitSettings } from '@olmos/contract/shop'
import { toUnitNames } from '@olmos/contract/unit-names'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { addVersion, lockSection, readAgain, readNewest, type SettingRow, shownVersion } from './versions.ts'

function shownUnits(row: SettingRow): UnitSettings {
  const { value, ...change } = shownVersion(row)
  return { units: gameUnits.parse(value), ...change }
}

const toKey = (name: string): string => toUnitNames(name)[0]

/** Refuses more words than pages can carry. */
function requireFew(units: GameUnits): void {
  if (Object.keys(units).length > LIMITS.unitsMax) throw new Failure('VALIDATION_FAILED', { name: 'list_too_long' })
}

/** Refuses an older version that could not be saved today. */
export const requireUnits = (value: object): void => requireFew(readAgain(gameUnits, value))

/** The calls by which an owner gives currencies of games words. */
export function unitRoutes({ serve, database }: Context): void {
  serve(shopApi.units, async () => ({ data: shownUnits(await readNewest(database, 'units')) }))

  serve(shopApi.setUnit, ({ user, body: { name, words, was, version } }) =>
    database.transaction(async (tx) => {
      const row = await lockSection(tx, 'units')
      const before = shownUnits(row)
      requireVersion(before, version)
      const former = was ?? (words === null ? name : undefined)
      if (former !== undefined && !Object.hasOwn(before.units, former)) throw new Failure('NOT_FOUND')
      const { [former ?? '']: formerWords, ...others } = before.units
      if (words !== null && Object.keys(others).some((other) => toKey(other) === toKey(name)))
        throw new Failure('DUPLICATE', { name: 'duplicate' })
      const value = words === null ? others : { ...others, [name]: words }
      requireFew(value)
      const after = shownUnits(await addVersion(tx, { section: 'units', value, after: row }, user.id))
      await writeAudit(tx, {
        actorId: user.id,
        action: 'shop.units',
        subject: `unit:${former ?? name}`,
        ...(formerWords && { before: { name: former, words: formerWords } }),
        ...(words && { after: { name, words } }),
      })
      return { data: after }
    }),
  )
}
