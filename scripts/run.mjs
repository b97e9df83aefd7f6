import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Something the person at the terminal can act on: shown as one sentence, without a stack. */
export class Refusal extends Error {}

const neededNode = 24

/**
 * Finds a Node.js that the store can run on: this machine's own where it is new enough, else the one that npm installs. npm
 * puts that one first on the path of its scripts, and names there the one that runs npm itself.
 * @returns {string | undefined}
 */
export function findNode() {
  const { npm_node_execpath: ofNpm, npm_config_user_agent: agent = '' } = process.env
  const installed = `${root}node_modules/node-${process.platform}-${process.arch}/bin/node`
  if (ofNpm && Number(/node\/v(\d+)\./.exec(agent)?.[1]) >= neededNode) return ofNpm
  if (Number.parseInt(process.versions.node, 10) >= neededNode) return process.execPath
  return existsSync(installed) ? installed : undefined
}

/** The Node.js that the store runs on, or a refusal when there is none: the one that runs these scripts may be older. */
export function nodeBinary() {
  const found = findNode()
  if (found) return found
  throw new Refusal(
    'Olmos needs Node.js 24 or newer, which npm installs on Linux with glibc (x64, arm64): run npm ci and see what it says; elsewhere install one.',
  )
}

/**
 * Runs a command in the project and resolves to its exit code, 1 when a signal ended it. A quiet one shows its output
 * only when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 * @returns {Promise<number>}
 */
export async function run(command, args, { cwd = root, env = process.env, quiet = false } = {}) {
  if (!quiet) return (await finish(spawn(command, args, { cwd, env, stdio: 'inherit' }))).code
  const { code, output } = await capture(command, args, { cwd, env })
  if (code !== 0) process.stdout.write(output)
  return code
}

/**
 * Runs a command and resolves to its exit code and everything it printed.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function capture(command, args, { cwd = root, env = process.env } = {}) {
  return finish(spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }))
}

/** Runs npm: the one that runs this script, or the one on the PATH.
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 */
export const npm = (args, options) => run(...npmCommand(args), options)

/**
 * Runs npm and resolves to its exit code and what it printed as its answer, without its warnings.
 * @param {string[]} args
 */
export const captureNpm = (args) => capture(...npmCommand([...args, '--loglevel=error']))

/**
 * @param {string[]} args
 * @returns {[command: string, args: string[]]}
 */
function npmCommand(args) {
  const cli = process.env.npm_execpath
  return cli?.endsWith('.js') ? [process.execPath, [cli, ...args]] : ['npm', args]
}

/**
 * Runs `main` as a program: what it resolves to is the exit code, a Refusal is printed as its sentence.
 * @param {() => Promise<number>} main
 */
export async function program(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error)
    process.exitCode = 1
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ code: number, output: string }>}
 */
function finish(child) {
  return new Promise((resolve) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
