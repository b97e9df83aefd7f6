import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adminCommands, openShelf } from '../test/model/admin-commands.ts'
import { buyerCommands, register } from '../test/model/buyer-commands.ts'
import { addDenomination, denominationCommands } from '../test/model/denomination-commands.ts'
import type { Model } from '../test/model/model.ts'
import { paymentCommands } from '../test/model/payment-commands.ts'
import { type Command, type Real, startReal } from '../test/model/real.ts'
import { resetSteam, topupCommands } from '../test/model/topup-commands.ts'
import { checkInvariants } from './modules/proof/ledger-proof.ts'

/**
 * MODEL_RUNS=2000 for more; MODEL_SEED, MODEL_PATH and MODEL_REPLAY as a failure prints them. The seed is fixed, so
 * that a failure is about what was changed.
 */
const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY } = process.env
const runs = Number(MODEL_RUNS ?? 200)
/** How long to look for a shorter sequence that fails; the shortest found by then is printed. */
const shrinkMs = 60_000
/** Lengths are drawn from 0 up, so the average is half of it. */
const commandsMost = 50

const commands = fc.commands(
  [...buyerCommands, ...paymentCommands, ...topupCommands, ...adminCommands, ...denominationCommands],
  {
    maxCommands: commandsMost,
    size: 'max',
    ...(MODEL_REPLAY !== undefined && { replayPath: MODEL_REPLAY }),
  },
)

async function start(real: Real): Promise<Model> {
  const model: Model = { buyers: [], shelves: [], orders: [], denominations: [], ...(await resetSteam(real)) }
  await Promise.all([openShelf(model, real, 6, 100), openShelf(model, real, 12, 275)])
  await addDenomination(model, real)
  await register(model, real)
  await register(model, real)
  return model
}

async function expectSound({ shop }: Real): Promise<void> {
  const results = await shop.database.snapshot((queries) => checkInvariants(queries))
  expect(results.filter((invariant) => invariant.offenders > 0)).toEqual([])
}

test('whatever customers, their banks and admins do, the store is as the model says', {
  timeout: 3_600_000,
}, async () => {
  let real = await startReal()
  let failedAt: number | undefined
  const property = fc.asyncProperty(commands, async (drawn) => {
    // A run without a failure passes, so fast-check settles for the shortest one so far.
    if (failedAt !== undefined && Date.now() - failedAt > shrinkMs) return
    try {
      const model = await start(real)
      await fc.asyncModelRun(() => ({ model, real }), drawn)
      await expectSound(real)
    } catch (error) {
      failedAt ??= Date.now()
      // A broken store stays broken, so the next, shorter run needs a new one.
      const { shop } = real
      real = await startReal()
      await shop.close()
      throw error
    }
  })
  const details = await fc.check(property, {
    numRuns: runs,
    seed: Number(MODEL_SEED ?? 20261121),
    ...(MODEL_PATH !== undefined && { path: MODEL_PATH }),
  })
  await real.shop.close()
  if (details.failed) throw new Error(toReport(details))
  console.log(`${runs} runs, ${real.commands} commands`)
})

/** Reports what failed, and how to repeat it. */
function toReport(details: fc.RunDetails<[Iterable<Command>]>): string {
  const replay = /replayPath="([^"]+)"/.exec(String(details.counterexample?.[0]))?.[1]
  const again = `MODEL_SEED=${details.seed} MODEL_PATH=${details.counterexamplePath} MODEL_REPLAY=${replay}`
  return `${details.errorInstance}\n\n${fc.defaultReportMessage(details)}\n\nAgain: ${again} npx vitest run server/src/shop-model.test.ts`
}
