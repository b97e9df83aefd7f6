import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeStatuses, lineReasons } from '@olmos/contract/codes'
import { failureStatus } from '@olmos/contract/failure'
import { rateSources } from '@olmos/contract/rates'
import { invariants } from '../server/src/modules/operations/invariants.ts'
import { en as adminEn } from '../web/app/admin/i18n/en.ts'
import { ru as adminRu } from '../web/app/admin/i18n/ru.ts'
import { uz as adminUz } from '../web/app/admin/i18n/uz.ts'
import { tabs } from '../web/app/admin/tabs.ts'
import { en } from '../web/app/i18n/en.ts'
import { ru } from '../web/app/i18n/ru.ts'
import { uz } from '../web/app/i18n/uz.ts'
import { findProblems, joined } from './translations.ts'

/** Keys that the web puts together from a name it got: add a line here when you compose a new kind of key. */
const composed = {
  // The web knows one more: no answer at all.
  'failure.': [...Object.keys(failureStatus), 'NETWORK_ERROR'],
  // What the contract's schemas and the forms say of a field.
  'field.': 'anyhow',
  // By the names of the actions in the audit log.
  'admin.audit.did.': 'anyhow',
  // What is known of an alert, and what suppliers say: names of the store and of theirs, where there is a word for them.
  'admin.alerts.fact.': 'anyhow',
  'admin.deliveries.why.': 'anyhow',
  'admin.disputes.why.': 'anyhow',
  'admin.codes.state.': codeStatuses,
  'admin.import.reason.': [...lineReasons, 'repeated', 'in_stock'],
  'admin.import.stage.': ['reading', 'checking', 'importing'],
  'admin.import.unreadable.': ['not_text', 'too_many_lines'],
  'admin.ledger.rule.': invariants.map(({ name }) => name),
  'admin.rates.origin.': [...rateSources, 'admin'],
  'admin.recall.ask.': ['replace', 'refund'],
  'admin.recall.mend.': ['replace', 'refund'],
  // By what the details of a refusal say.
  'admin.refused.': 'anyhow',
  'admin.tabs.': tabs.map(({ name }) => name),
} as const

const web = join(import.meta.dirname, '../web/app')
const files = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/i18n/{ru,en,uz}.ts', '**/*.test.*'] })
const sources = Object.fromEntries(files.map((file) => [file, readFileSync(join(web, file), 'utf8')]))

// As the browser has them once the admin area is open.
const texts = { ru: joined(ru, adminRu), en: joined(en, adminEn), uz: joined(uz, adminUz) }
const problems = findProblems({ texts, sources, composed })
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1
