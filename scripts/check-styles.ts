import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProblems, sheetsFor, sheetsIn } from './component-styles.ts'

const web = join(import.meta.dirname, '../web/app')
const read = (file: string) => readFileSync(join(web, file), 'utf8')
const files = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/*.test.*'] })
const isAdmin = (file: string) => file.startsWith('admin/')

// The admin area comes on top of the store: what both use stands in the store's list.
const inStore = sheetsFor(files.filter((file) => !isAdmin(file)).map(read))
const inAll = sheetsFor(files.map(read))
const lists = {
  'theme/mantine.css': inStore,
  'admin/mantine.css': inAll.filter((sheet) => !inStore.includes(sheet)),
}

const problems = Object.entries(lists).flatMap(([list, needed]) =>
  findProblems({ listed: sheetsIn(read(list)), needed }).map((problem) => `web/app/${list}: ${problem}`),
)
for (const problem of problems) console.error(problem)
console.log(`${inAll.length} stylesheets, ${problems.length} problems`)
process.exitCode = problems.length === 0 && inStore.length > 0 ? 0 : 1
