import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import { currencies } from '@olmos/contract/money'
import { type Config, readConfig } from './config.ts'
import { resetSecondFactor } from './modules/accounts/second-factor.ts'
import { checkSeals } from './modules/audit/audit.ts'
import { rotateKey } from './modules/codes/rotate-key.ts'
import { checkInvariants, type InvariantResult } from './modules/proof/invariants.ts'
import { proveLedger, toSums } from './modules/proof/ledger-proof.ts'
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
  /** Resolves to the exit code. */
  run(terminal: Terminal, argument: string): Promise<number>
}

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
    const vault = await Vault.open(database, config.secretKey ?? (await keepSecretKey(config.dataDir)))
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

/** The commands of `npm run olmos -- <command>`. */
const commands: Record<string, Command> = {
  verify,
  'rotate-key': rotateKeyCommand,
  'change-secret-key': changeSecretKeyCommand,
  'reset-second-factor': resetSecondFactorCommand,
}

const help = () =>
  [
    'Usage: npm run olmos -- COMMAND',
    ...Object.entries(commands).map(([name, { argument = '', summary }]) => {
      const call = `${name} ${argument}`
      return `  ${call.padEnd(30)}${summary}`
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

const [name = '', ...rest] = process.argv.slice(2)
const command = commands[name]
if (!command || rest.length !== (command.argument ? 1 : 0)) {
  console.error(help())
  process.exit(name === '' || name === 'help' ? 0 : 2)
}
const closers: Closers = []
const end = endOnSignal(closers)
try {
  const config = readConfig()
  const database = await openStore(config, closers)
  await end(await command.run({ config, database, print, progress }, rest[0] ?? ''))
} catch (error) {
  console.error(toSentence(error, { '42P01': otherSchema, '42703': otherSchema }))
  await end(1)
}
