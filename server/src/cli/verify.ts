import { toMajor } from '@olmos/contract/minor-units'
import { currencies } from '@olmos/contract/money'
import { checkSeals } from '../modules/audit/audit.ts'
import { checkInvariants, type InvariantResult } from '../modules/proof/invariants.ts'
import { type LedgerSums, proveLedger, toSums } from '../modules/proof/ledger-proof.ts'
import { keepSecretKey, Vault } from '../platform/security/vault.ts'
import type { Command } from './command.ts'

/** Checks every invariant and adds the ledger up, as of one moment, while the store runs. */
export const verify: Command = {
  summary: 'checks every invariant and adds the ledger up; exit code 1 when something is broken',
  async run({ config, database, print }) {
    const vault = await Vault.open(database, config.secretKey ?? (await keepSecretKey(config.dataDir)))
    const began = performance.now()
    const { results, proof } = await database.snapshot(async (queries) => ({
      results: [...(await checkInvariants(queries)), (await checkSeals(queries, vault)).result],
      proof: await proveLedger(queries),
    }))
    const broken = results.filter((result) => result.offenders > 0)
    const sums = toSums(proof.accounts)
    const isBalanced = currencies.every((currency) => sums[currency] === 0)

    for (const result of results) print(toLine(result))
    print('')
    for (const line of accountLines(proof)) print(line)
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

function accountLines({ accounts }: LedgerSums): string[] {
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
