import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureStatus } from '@olmos/contract/failure'
import { en } from '../web/app/i18n/en.ts'
import { ru } from '../web/app/i18n/ru.ts'
import { uz } from '../web/app/i18n/uz.ts'
import { findProblems } from './translations.ts'

/** Keys that the web puts together from a name it got: add a line here when you compose a new kind of key. */
const composed = {
  // The web knows one more: no answer at all.
  'failure.': [...Object.keys(failureStatus), 'NETWORK_ERROR'],
  // What the contract's schemas and the forms say of a field.
  'field.': 'anyhow',
} as const

const web = join(import.meta.dirname, '../web/app')
const files = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['i18n/{ru,en,uz}.ts', '**/*.test.*'] })
const sources = Object.fromEntries(files.map((file) => [file, readFileSync(join(web, file), 'utf8')]))

const problems = findProblems({ texts: { ru, en, uz }, sources, composed })
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1
