import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import { currencies } from '@olmos/contract/money'
import { z } from 'zod'
import { checkSeals } from '../modules/audit/audit.ts'
import { createProviders } from '../modules/payments/providers.ts'
import { reconcileDay, reconcileYesterday } from '../modules/payments/reconcile.ts'
import { checkClosedDays } from '../modules/proof/closed-days.ts'
import { checkInvariants, type InvariantResult, proveLedger, toSums } from '../modules/proof/ledger-proof.ts'
import { type Command, openVault, UsageError } from './command.ts'

/** Checks every invariant and adds the ledger up, as of one moment, while the store runs. */
export const verify: Command = {
  summary: 'checks every invariant and adds the ledger up; exit code 1 when something is broken',
  async run({ config, database, print }) {
    const vault = await openVault(config, database)
    const began = performance.now()
    const { results, proof } = await database.snapshot(async (queries) => ({
      results: [
        ...(await checkInvariants(queries)),
        (await checkSeals(queries, vault)).result,
        await checkClosedDays(queries, vault),
      ],
      proof: await proveLedger(queries),
    }))
    const broken = results.filter((result) => result.offenders > 0)
    const sums = toSums(proof.accounts)
    const isBalanced = currencies.every((currency) => sums[currency] === 0)

    for (const result of results) print(toLine(result))
    print('')
    for (const line of accountLines(proof.accounts)) print(line)
    if (proof.firstBroken) print(`\nThe first transfer that does not add up: ${proof.firstBroken.id}`)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    print(`\n${results.length - broken.length} of ${results.length} invariants hold (${seconds} s).`)
    return broken.length === 0 && isBalanced ? 0 : 1
  },
}

function toLine({ number, sentence, offenders, sample }: InvariantResult): string {
  const mark = offenders === 0 ? '✓' : '✗'
  const found = offenders === 0 ? '' : `: broken by ${offenders}, like ${sample.join(', ')}`
  return `${mark} ${String(number).padStart(2)}  ${sentence}${found}`
}

const inMajor = (minor: number) => toMajor(minor).toFixed(2).padStart(18)

function accountLines(accounts: Parameters<typeof toSums>[0]): string[] {
  const sums = toSums(accounts)
  const kinds = [...new Set(accounts.map((account) => account.kind))]
  const line = (name: string, cells: string[]) => `${name.padEnd(14)}${cells.join('')}`
  const readBalance = (kind: string, currency: string) =>
    accounts.find((account) => account.kind === kind && account.currency === currency)?.balance ?? 0
  return [
    line(
      'account',
      currencies.map((currency) => currency.padStart(18)),
    ),
    ...kinds.map((kind) =>
      line(
        kind,
        currencies.map((currency) => inMajor(readBalance(kind, currency))),
      ),
    ),
    line(
      'sum',
      currencies.map((currency) => inMajor(sums[currency])),
    ),
  ]
}

/** Compares a day of each payment provider with the books; for a timer of the machine's own, or a look in between. */
export const reconcilePayments = {
  summary:
    'compares a day, yesterday unless named, with each provider; exit code 1 when it differs or one does not answer',
  options: '[--day 2026-11-20] [--json]',
  async run({ config, database, print }, _argument, { day, json }) {
    if (day !== undefined && !(z.iso.date().safeParse(day).success && day >= '2000-01-01')) {
      throw new UsageError('--day is a date such as 2026-11-20.')
    }
    const vault = await openVault(config, database)
    // A provider whose account can't be read is not compared: this says why.
    const log = { error: (told: object) => json || print(JSON.stringify(told)) }
    const { payments: chosen, paymentSettings: given, publicUrl } = config
    const providers = createProviders({ chosen, given }, { database, vault, log, publicUrl })
    await providers.renew()
    const shop = { config, database, providers }
    const maker = { origin: 'command' } as const
    try {
      const rows = await (day === undefined ? reconcileYesterday(shop, maker) : reconcileDay(shop, day, maker))
      if (json) print(JSON.stringify(rows.map(inMajorUnits), undefined, 2))
      else for (const line of reconciliationLines(rows)) print(line)
      return rows.some(({ state }) => state === 'different' || state === 'not_compared') ? 1 : 0
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'VALIDATION_FAILED') throw error
      throw new UsageError(`${day} is a day to come.`)
    }
  },
} satisfies Command

type Reconciliation = Awaited<ReturnType<typeof reconcileDay>>[number]

const inMajorUnits = ({ totals, differences, ...row }: Reconciliation) => {
  const shown = <Money extends { amount: number } | null>(money: Money) =>
    money && { ...money, amount: toMajor(money.amount) }
  return {
    ...row,
    totals: totals.map(({ currency, there, here }) => ({ currency, there: shown(there), here: shown(here) })),
    differences: differences.map((difference) => ({
      ...difference,
      there: shown(difference.there),
      here: shown(difference.here),
    })),
  }
}

const stateSentences = {
  equal: 'equal',
  different: 'DIFFERENT',
  not_compared: 'NOT COMPARED',
  cabinet_only: 'can only be compared with its cabinet',
} as const satisfies Record<Reconciliation['state'], string>

function reconciliationLines(rows: readonly Reconciliation[]): string[] {
  if (rows.length === 0) return ['No provider takes payments in this shop.']
  const money = (sum: { amount: number; currency?: string } | null) =>
    sum ? `${toMajor(sum.amount).toFixed(2)}${sum.currency ? ` ${sum.currency}` : ''}` : '-'
  return rows.flatMap(({ day, provider, state, why, is_over, totals, differences, difference_count: count }) => [
    `${day}  ${provider}: ${stateSentences[state]}${why ? ` (${why})` : ''}${is_over ? '' : ', the day is not over'}`,
    ...totals.map(
      ({ currency, there, here }) =>
        `  ${currency}  there ${money(there).padStart(16)} ${`(${there?.count ?? '-'})`.padEnd(8)} here ${money(here).padStart(16)} (${here.count})`,
    ),
    ...differences.map(
      ({ kind, provider_payment_id, provider_refund_id, order_id, there, here }) =>
        `  ${kind.padEnd(18)} order ${(order_id ?? '-').padEnd(10)}  there ${money(there).padStart(16)}  here ${money(here).padStart(16)}  ${provider_refund_id ?? provider_payment_id ?? '-'}`,
    ),
    ...(count > differences.length ? [`  and ${count - differences.length} more`] : []),
  ])
}
