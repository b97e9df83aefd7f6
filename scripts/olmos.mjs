import './node-version.mjs'
import { nodeBinary, program, Refusal, root } from './run.mjs'
import { memoryOptions, memorySettings } from './server.mjs'

// `npm run olmos -- COMMAND`. A store that serves gets the options that `npm start` gives it. The command takes the place
// of this process, so that signals reach it, and no second Node.js sits beside a store for as long as it runs.

await program(async () => {
  const node = nodeBinary()
  const isStore = process.argv[2] === 'serve'
  const args = [...(isStore ? memoryOptions : []), `${root}server/src/cli.ts`, ...process.argv.slice(2)]
  const env = { ...(isStore ? memorySettings : {}), ...process.env }
  if (process.execve) return process.execve(node, [node, ...args], env)
  throw new Refusal('This Node.js is too old for it; call npm run olmos, which takes the one that npm installed.')
})
