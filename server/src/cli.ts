import { Failure } from '@olmos/contract/failure'
import type { Command } from './cli/command.ts'
import { openStore } from './cli/open-store.ts'
import { resetSecondFactorCommand } from './cli/reset-second-factor.ts'
import { rotateKeyCommand } from './cli/rotate-key.ts'
import { verify } from './cli/verify.ts'
import { readConfig } from './config.ts'
import { type Closers, endOnSignal } from './platform/closing.ts'
import { StartupError } from './platform/startup-error.ts'

/** What `npm run olmos -- <command>` can do. */
const commands: Record<string, Command> = {
  verify,
  'rotate-key': rotateKeyCommand,
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

/** What the operator can mend, in one sentence. */
function reasonOf(error: unknown): unknown {
  if (error instanceof StartupError) return error.message
  if (error instanceof Failure && error.status === 503)
    return `The database does not answer: ${(error.cause as Error).message}.`
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === '42P01' || code === '42703') {
    return 'The database is not that of this Olmos; start the store once, which brings it up to date.'
  }
  return error
}

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
  console.error(reasonOf(error))
  await end(1)
}
