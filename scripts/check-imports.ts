import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import config from '../.dependency-cruiser.mjs'

const folders = ['contract', 'server', 'web', 'proof', 'studio', 'scripts']

export interface Violation {
  rule: string
  from: string
  to: string
}

/** Holds every import under `baseDir` against the rules of .dependency-cruiser.mjs. */
export async function checkImports(baseDir: string): Promise<{ modules: string[]; violations: Violation[] }> {
  const { options, forbidden } = config
  const { output } = await cruise(
    folders.filter((folder) => existsSync(join(baseDir, folder))),
    { ...options, baseDir, validate: true, ruleSet: { forbidden } },
    options.enhancedResolveOptions,
  )
  const { modules, summary } = output as ICruiseResult
  return {
    modules: modules.map((module) => module.source),
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const { modules, violations } = await checkImports(root)
  // Without its parser the tool finds nothing to read, and nothing wrong with it.
  const unread = globSync('{contract,server,web/app}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }).filter((file) => !modules.includes(file))
  for (const { rule, from, to } of violations) console.error(`${rule}: ${from} imports ${to}`)
  for (const file of unread) console.error(`not read: ${file}`)
  console.log(`${modules.length} modules, ${violations.length} forbidden imports`)
  process.exitCode = violations.length + unread.length === 0 ? 0 : 1
}
