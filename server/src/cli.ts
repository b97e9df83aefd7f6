import { type Command, openStore } from './cli/command.ts'
import { changeSecretKeyCommand, rotateKeyCommand } from './cli/keys.ts'
import { resetSecondFactorCommand } from './cli/reset-second-factor.ts'
import { verify } from './cli/verify.ts'
import { readConfig } from './config.ts'
import { type Closers, endOnSignal, toSentence } from './platform/closing.ts'

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
