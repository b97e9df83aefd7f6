import { capture, nodeBinary, root } from './run.mjs'

const web = `${root}web`
const bin = (/** @type {string} */ path) => `${root}node_modules/${path}`

/**
 * What `npm run check` proves. Each check is a row of commands; the first that fails ends it.
 * @type {{ name: string, commands: { args: string[], cwd?: string }[] }[]}
 */
const checks = [
  {
    name: 'types',
    commands: [
      { args: [bin('@react-router/dev/bin.cjs'), 'typegen'], cwd: web },
      { args: [bin('typescript/bin/tsc'), '--noEmit'] },
    ],
  },
  { name: 'format and lint', commands: [{ args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'] }] },
  { name: 'who imports whom', commands: [{ args: ['scripts/check-imports.ts'] }] },
  { name: 'dead code', commands: [{ args: [bin('knip/bin/knip.js'), '--no-config-hints'] }] },
  { name: 'API description', commands: [{ args: ['scripts/check-openapi.ts'] }] },
  { name: 'words', commands: [{ args: ['scripts/check-words.ts'] }] },
  { name: 'styles', commands: [{ args: ['scripts/check-styles.ts'] }] },
]

/** Runs every check, two at a time, and prints how each went. */
export async function runChecks() {
  /** @type {{ passed: number, failed: number, failures: string[] }} */
  const results = { passed: 0, failed: 0, failures: [] }
  const waiting = [...checks]
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const begun = performance.now()
      const complaint = await toComplaint(check)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      results[complaint === undefined ? 'passed' : 'failed']++
      if (complaint !== undefined) results.failures.push(check.name)
      console.log(
        complaint === undefined ? `✓ ${check.name} (${seconds} s)` : `✗ ${check.name} (${seconds} s)\n${complaint}`,
      )
    }
  }
  await Promise.all([work(), work()])
  return results
}

/** @param {typeof checks[number]} check */
async function toComplaint({ commands }) {
  for (const { args, cwd } of commands) {
    const { code, output } = await capture(nodeBinary(), args, { cwd })
    if (code !== 0) return output
  }
  return undefined
}
