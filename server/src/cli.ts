import { parseArgs } from 'node:util'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import { currencies } from '@olmos/contract/money'
import { z } from 'zod'
import { type Config, readConfig } from './config.ts'
import { resetSecondFactor } from './modules/accounts/second-factor.ts'
import { checkSeals } from './modules/audit/audit.ts'
import { rotateKey } from './modules/codes/rotate-key.ts'
import { createProviders } from './modules/payments/providers.ts'
import { reconcileDay, reconcileYesterday } from './modules/payments/reconcile.ts'
import { checkInvariants, type InvariantResult, proveLedger, toSums } from './modules/proof/ledger-proof.ts'
import { type Closers, endOnSignal, StartupError, toSentence } from './platform/closing.ts'
import { Database } from './platform/database/database.ts'
import { connectEmbeddedPostgres } from './platform/embedded/embedded-postgres.ts'
import { keepSecretKey, Vault } from './platform/security/vault.ts'

/** What a command works on and prints to. */
interface Terminal {
  config: Config
  database: Database
  print(line: string): void
  /** Replaces the previous line on a terminal. */
  progress(line: string): void
}

interface Command {
  /** One line of the help. */
  summary: string
  /** The help's name for its one argument, if it has one. */
  argument?: string
  /** The options it takes, as the help shows them. */
  options?: string
  /** Resolves to the exit code. */
  run(terminal: Terminal, argument: string, options: Options): Promise<number>
}

/** The options of all commands; a command that takes none refuses them. */
const knownOptions = { day: { type: 'string' }, json: { type: 'boolean' } } as const
type Options = { day?: string | undefined; json?: boolean | undefined }

const openVault = async ({ secretKey, dataDir }: Config, database: Database) =>
  Vault.open(database, secretKey ?? (await keepSecretKey(dataDir)))

const connections = 4

/** Opens the database of the store: at DATABASE_URL, or in DATA_DIR, whether the store runs or not. */
async function openStore(config: Config, closers: Closers): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await connectEmbeddedPostgres(config.dataDir)
  if (embedded) closers.push(() => embedded.stop())
  // A command needs no pooler: it is one process, and some of its work needs a session.
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? (embedded?.url as string)
  const database = new Database({ url, connections, onIdleError: () => {} })
  closers.push(() => database.close())
  return database
}

/** Gives the stock a new data key while the store serves. */
const rotateKeyCommand: Command = {
  summary: 'seals all codes with a new key while the store serves; cut short, run it again',
  async run({ config, database, print, progress }) {
    const vault = await openVault(config, database)
    let total = 0
    const resealed = await rotateKey(database, vault, {
      started({ keyId, isResumed, codes }) {
        total = codes
        print(`${isResumed ? 'Going on with' : 'Made'} key ${keyId}; ${codes} codes to seal.`)
      },
      progressed: (done) => progress(`${done} of ${Math.max(done, total)} codes sealed`),
    })
    print(`${resealed} codes sealed; the keys before are deleted.`)
    return 0
  },
}

/** Puts the keys of the vault under another SECRET_KEY. */
const changeSecretKeyCommand: Command = {
  summary: 'wraps the keys of the codes with SECRET_KEY instead of OLD_SECRET_KEY; end the store before',
  async run({ config: { secretKey, oldSecretKey }, database, print }) {
    if (!secretKey || !oldSecretKey) {
      throw new StartupError(
        'Give both: OLD_SECRET_KEY, which opens the keys now, and SECRET_KEY, which is to open them.',
      )
    }
    const wrapped = await Vault.changeSecretKey(database, oldSecretKey, secretKey)
    print(
      wrapped > 0 ? `${wrapped} keys are under the new SECRET_KEY.` : 'All keys were under the new SECRET_KEY already.',
    )
    return 0
  },
}

/** Lets in an admin who has lost both the app and the recovery codes. */
const resetSecondFactorCommand: Command = {
  summary: 'takes away the second factor that an admin has lost, and ends their sessions',
  argument: 'NICKNAME',
  async run({ database, print }, nickname) {
    try {
      await database.transaction((tx) => resetSecondFactor(tx, nickname))
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      print(error.code === 'USER_NOT_FOUND' ? `There is no ${nickname}.` : `${nickname} has no second factor.`)
      return 1
    }
    print(`${nickname} logs in with the password alone, and should enrol a second factor at once.`)
    return 0
  },
}

/** Checks every invariant and adds the ledger up, as of one moment, while the store runs. */
const verify: Command = {
  summary: 'checks every invariant and adds the ledger up; exit code 1 when something is broken',
  async run({ config, database, print }) {
    const vault = await openVault(config, database)
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
const reconcilePayments: Command = {
  summary:
    'compares a day, yesterday unless named, with each provider; exit code 1 when it differs or one does not answer',
  options: '[--day 2026-11-20] [--json]',
  async run({ config, database, print }, _argument, { day, json }) {
    if (day !== undefined && !(z.iso.date().safeParse(day).success && day >= '2000-01-01')) {
      throw new StartupError('--day is a date such as 2026-11-20.')
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
      throw new StartupError(`${day} is a day to come.`)
    }
  },
}

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

/** The commands of `npm run olmos -- <command>`. */
const commands: Record<string, Command> = {
  verify,
  'rotate-key': rotateKeyCommand,
  'change-secret-key': changeSecretKeyCommand,
  'reset-second-factor': resetSecondFactorCommand,
  'reconcile-payments': reconcilePayments,
}

const help = () =>
  [
    'Usage: npm run olmos -- COMMAND',
    ...Object.entries(commands).map(([name, { argument, options, summary }]) => {
      const call = [name, argument, options].filter(Boolean).join(' ')
      return `  ${call.padEnd(30)}${call.length < 30 ? '' : `\n${' '.repeat(32)}`}${summary}`
    }),
  ].join('\n')

const isScreen = process.stdout.isTTY
let isMidLine = false
function print(line: string): void {
  if (isMidLine) process.stdout.write('\n')
  isMidLine = false
  console.log(line)
}
function progress(line: string): void {
  if (!isScreen) return
  process.stdout.write(`\r${line}`)
  isMidLine = true
}

const otherSchema = 'The database is not that of this Olmos; start the store once, which brings it up to date.'

function readArguments(): { name: string; rest: string[]; options: Options } | undefined {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: knownOptions })
    const [name = '', ...rest] = positionals
    return { name, rest, options: values }
  } catch {
    // An option nobody knows.
    return undefined
  }
}

const { name, rest, options } = readArguments() ?? { name: 'unknown', rest: [], options: {} }
const command = commands[name]
const hasTooMuch = Object.keys(options).length > 0 && !command?.options
if (!command || hasTooMuch || rest.length !== (command.argument ? 1 : 0)) {
  console.error(help())
  process.exit(name === '' || name === 'help' ? 0 : 2)
}
const closers: Closers = []
const end = endOnSignal(closers)
try {
  const config = readConfig()
  const database = await openStore(config, closers)
  await end(await command.run({ config, database, print, progress }, rest[0] ?? '', options))
} catch (error) {
  console.error(toSentence(error, { '42P01': otherSchema, '42703': otherSchema }))
  await end(1)
}
