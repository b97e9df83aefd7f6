import { parseArgs } from 'node:util'
import { Failure } from '@olmos/contract/failure'
import {
  archive,
  backup,
  fetchBackupCommand,
  keepWalCommand,
  reconcileSalesCommand,
  restore,
} from './commands/backup.ts'
import { reconcilePayments, verify } from './commands/books.ts'
import { type Command, knownOptions, openStore, openVault, UsageError } from './commands/command.ts'
import { doctor } from './commands/doctor.ts'
import { readConfig } from './config.ts'
import { createPasswords } from './modules/accounts/accounts.ts'
import { resetSecondFactor } from './modules/accounts/second-factor.ts'
import { type RotationReport, rotateKey } from './modules/codes/rotate-key.ts'
import { resetForgottenPassword } from './modules/messages/reset-password.ts'
import { migrate } from './platform/database/migrate.ts'
import { reachDatabase, roleIn } from './platform/embedded/database-server.ts'
import { connectEmbeddedPostgres } from './platform/embedded/embedded-postgres.ts'
import { build, type Closers, endOnSignal, nameBuild, StartupError, toSentence } from './platform/process.ts'
import { Vault } from './platform/security/vault.ts'

/** Long enough for a database that recovers from a crash, and an end for an address with a slip in it. */
const databaseWaitMs = 10 * 60_000

/** Starts the store as it lies there: nothing is installed, compared or built first. */
const serveCommand: Command = {
  summary: 'starts the store without installing or building anything, until SIGTERM or Ctrl-C',
  details: [
    'A database at DATABASE_URL that is not there yet is waited for, up to ten minutes; a wrong setting ends it at once.',
    'It serves the pages of the last build, and only the calls under /api where there is none.',
  ],
  runsUntilEnded: true,
  async runAlone({ closers }) {
    // It loads the whole store, which the other commands do without.
    const { startStore } = await import('./main.ts')
    await startStore(closers, { databaseWaitMs })
    // A signal ends the process.
    return new Promise<never>(() => {})
  },
}

/** Brings the database up to date without starting a store on it, so that a release can do it once before its nodes. */
const migrateCommand: Command = {
  summary: 'brings the database up to date and ends; says which migrations it applied',
  details: [
    'Every start does it too. By itself it suits a job that runs once before the nodes of a release.',
    'Nodes of the version before may go on selling meanwhile. Migrations only go forward: have a backup.',
  ],
  async runAlone({ print, environment, closers }) {
    const config = readConfig(environment)
    const embedded = config.databaseUrl ? undefined : await connectEmbeddedPostgres(config.dataDir)
    if (embedded) closers.push(() => embedded.stop())
    const url = config.databaseUrl ?? (embedded?.serverUrl as string)
    const { directUrl } = await reachDatabase({
      url,
      directUrl: embedded?.url ?? config.databaseDirectUrl,
      allowUnsafe: config.allowUnsafeDatabase,
      databaseWaitMs,
      log: print,
    })
    const applied = await migrate(directUrl, { servedBy: roleIn(url), log: print })
    for (const name of applied) print(name)
    print(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`)
    return 0
  },
}

const versionCommand: Command = {
  summary: 'says which Olmos this is, of which commit, and on which Node.js',
  async runAlone({ print }) {
    print(`${nameBuild(build)}, Node.js ${process.versions.node}`)
    return 0
  },
}

/** Gives the stock a new data key while the store serves. */
const rotateKeyCommand: Command = {
  summary: 'seals all codes with a new key while the store serves; cut short, run it again',
  async run({ config, database, print, progress }) {
    const vault = await openVault(config, database)
    let total = 0
    const report: RotationReport = {
      started({ keyId, isResumed, codes }) {
        total = codes
        print(`${isResumed ? 'Going on with' : 'Made'} key ${keyId}; ${codes} codes to seal.`)
      },
      progressed: (done) => progress(`${done} of ${Math.max(done, total)} codes sealed`),
    }
    const resealed = await rotateKey(database, vault, report)
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

/** Lets somebody in who has forgotten the password, when nobody is left who could set one in the admin area. */
const resetPasswordCommand: Command = {
  summary: 'gives a user a random password, printed once, and ends their sessions',
  details: [
    'The next login can do nothing but choose another password. A second factor stays and is asked for.',
    'It is written into the audit log. The password is stored nowhere in clear.',
  ],
  argument: 'NICKNAME',
  async run({ database, print }, nickname) {
    try {
      const reset = await resetForgottenPassword(database, createPasswords(), nickname)
      print(`${reset.nickname} logs in with ${reset.password} (shown this once), and has to choose another at once.`)
      if (reset.hasSecondFactor)
        print('The second factor is still asked for; reset-second-factor takes one away that is lost.')
      if (reset.isBlocked) print(`${reset.nickname} is blocked, which an admin can undo.`)
      return 0
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'USER_NOT_FOUND') throw error
      print(`There is no ${nickname}.`)
      return 1
    }
  },
}

/** The commands of `npm run olmos -- <command>`. */
const commands: Record<string, Command> = {
  serve: serveCommand,
  migrate: migrateCommand,
  doctor,
  verify,
  'rotate-key': rotateKeyCommand,
  'change-secret-key': changeSecretKeyCommand,
  'reset-password': resetPasswordCommand,
  'reset-second-factor': resetSecondFactorCommand,
  'reconcile-payments': reconcilePayments,
  backup,
  'keep-wal': keepWalCommand,
  'fetch-backup': fetchBackupCommand,
  restore,
  'reconcile-sales': reconcileSalesCommand,
  archive,
  version: versionCommand,
}

const caller = 'npm run olmos --'

const toCall = (name: string, { argument, options }: Command) => [name, argument, options].filter(Boolean).join(' ')

const listCommands = () =>
  [
    `Usage: ${caller} COMMAND`,
    ...Object.entries(commands).map(([name, command]) => {
      const call = toCall(name, command)
      return `  ${call.padEnd(30)}${call.length < 30 ? '' : `\n${' '.repeat(32)}`}${command.summary}`
    }),
    '`COMMAND --help` says more. Exit codes: 0 all is well, 1 something is to be mended, 2 wrong usage, 128 and more cut short by a signal.',
  ].join('\n')

const explain = (name: string, command: Command) =>
  [`Usage: ${caller} ${toCall(name, command)}`, `It ${command.summary}.`, ...(command.details ?? [])].join('\n')

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

const otherSchema =
  'The database is not that of this Olmos; run olmos migrate, which brings it up to date and sells nothing.'

function readArguments() {
  try {
    const help = { type: 'boolean', short: 'h' } as const
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { ...knownOptions, help } })
    const { help: isHelp = false, ...options } = values
    const [first = '', ...others] = positionals
    if (first === 'help') return { name: others[0] ?? '', rest: others.slice(1), options, isHelp: true }
    return { name: first, rest: others, options, isHelp: isHelp || first === '' }
  } catch {
    // An option nobody knows.
    return undefined
  }
}

const { name, rest, options, isHelp } = readArguments() ?? { name: 'unknown', rest: [], options: {}, isHelp: false }
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (isHelp && (command || name === '')) {
  print(command ? explain(name, command) : listCommands())
  process.exit(0)
}
const hasTooMuch = Object.keys(options).length > 0 && !command?.options
if (!command || hasTooMuch || rest.length !== (command.argument ? 1 : 0)) {
  console.error(command ? explain(name, command) : listCommands())
  process.exit(2)
}
const closers: Closers = []
const end = endOnSignal(closers, command)
try {
  const surroundings = { print, progress, closers }
  const argument = rest[0] ?? ''
  if ('runAlone' in command) {
    await end(await command.runAlone({ ...surroundings, environment: process.env }, argument, options))
  } else {
    const config = readConfig()
    const opened = await openStore(config, closers)
    await end(await command.run({ ...surroundings, ...opened, config }, argument, options))
  }
} catch (error) {
  console.error(toSentence(error, { '42P01': otherSchema, '42703': otherSchema }))
  await end(error instanceof UsageError ? 2 : 1)
}
