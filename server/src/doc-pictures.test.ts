import { globSync, readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../test/database.ts'

const docs = new URL('../../docs/', import.meta.url)
const modules = new URL('modules/', import.meta.url)

/** Compares the drawing in a page of docs/ with what is there now; `UPDATE_DOCS=1` draws it again. */
function expectDrawn(page: string, lines: readonly string[]): void {
  const file = new URL(page, docs)
  const text = readFileSync(file, 'utf8')
  const drawn = text.replace(/```mermaid\n[\s\S]*?```/, `\`\`\`mermaid\n${lines.join('\n')}\n\`\`\``)
  if (process.env.UPDATE_DOCS) writeFileSync(file, drawn)
  expect(text, `run UPDATE_DOCS=1 npx vitest run server/src/doc-pictures.test.ts`).toBe(drawn)
}

test('docs/tables.md draws every table and every reference between them', async () => {
  const { url, drop } = await cloneDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; refers: string[] }>(`
      SELECT relname AS name, coalesce(array_agg(DISTINCT confrelid::regclass::text) FILTER (WHERE confrelid IS NOT NULL), '{}') AS refers
      FROM pg_class LEFT JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' GROUP BY relname ORDER BY relname`)
    expect(rows.length).toBeGreaterThan(30)
    const single = rows.filter(
      ({ name, refers }) => refers.length === 0 && !rows.some((row) => row.refers.includes(name)),
    )
    const lines = rows.flatMap(({ name, refers }) => refers.map((other) => `  ${other} ||--o{ ${name} : ""`))
    expectDrawn('tables.md', ['erDiagram', ...lines, ...single.map(({ name }) => `  ${name}`)])
  } finally {
    await client.end()
    await drop()
  }
})

test('docs/modules.md draws which module of the server imports which', () => {
  const imports = new Map<string, Set<string>>()
  for (const file of globSync('**/*.ts', { cwd: modules, exclude: ['**/*.test.ts'] })) {
    const [own = ''] = file.split('/')
    const others = imports.get(own) ?? new Set()
    const text = readFileSync(new URL(file, modules), 'utf8')
    for (const [, other = ''] of text.matchAll(/from '(?:\.\.\/)+([a-z]+)\/[^']+'/g)) {
      if (other !== own && other !== 'platform') others.add(other)
    }
    imports.set(own, others)
  }
  for (const others of imports.values()) for (const other of others) if (!imports.has(other)) others.delete(other)
  expect(imports.size).toBeGreaterThan(15)
  const isReachable = (from: string, to: string): boolean =>
    [...(imports.get(from) ?? [])].some((next) => next === to || isReachable(next, to))
  // An arrow that another path draws already is left out, or nobody could see the rest.
  const lines = [...imports].sort().flatMap(([own, others]) =>
    [...others]
      .sort()
      .filter((other) => ![...others].some((between) => between !== other && isReachable(between, other)))
      .map((other) => `  ${own} --> ${other}`),
  )
  expectDrawn('modules.md', ['flowchart TD', ...lines])
})
