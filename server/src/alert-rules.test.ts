import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../test/endpoints.ts'
import { useShop } from '../test/use-shop.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const rules = read('deploy/prometheus/olmos.rules.yaml')
const watching = read('docs/operations.md').split('## Watching')[1]?.split('\n## ')[0] ?? ''
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string)

interface Panel {
  title: string
  targets?: { expr: string }[]
}
const { panels } = JSON.parse(read('deploy/grafana/olmos.json')) as { panels: Panel[] }
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** What PromQL calls a metric: histograms have three names each. */
const namesIn = (text: string) => [
  ...new Set([...text.matchAll(/\b(?:olmos|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name)),
]

/** Listed where there is a backup. */
const onlyWithBackups = [
  'olmos_backup_age_seconds',
  'olmos_backup_verified_age_seconds',
  'olmos_backup_wal_age_seconds',
]

const shop = useShop()
const listed = new Set<string>(onlyWithBackups)
beforeAll(async () => {
  const { body } = await shop.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  for (const [, name, type] of body.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const parts = type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const part of parts) listed.add(`${name}${part}`)
  }
})

test.each([
  ['the alert rules', rules],
  ['the dashboard', expressions.join('\n')],
  ['the table of docs/operations.md', watching.replaceAll(/(olmos_\w+_seconds)`, a histogram/g, '$1_count')],
])('%s name metrics that the store has', (_where, text) => {
  const names = namesIn(text)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !listed.has(name))).toEqual([])
})

test('docs/operations.md names every metric of the store', () => {
  const own = [...listed].filter((name) => name.startsWith('olmos_') && !/_(?:bucket|sum)$/.test(name))
  const documented = own.filter((name) => !onlyWithBackups.includes(name))
  expect(documented.filter((name) => !watching.includes(`\`${name.replace(/_count$/, '')}`))).toEqual([])
})

describe.each(alerts)('%s', (name) => {
  test('has its section in docs/alerts.md, with all four answers', () => {
    const [, section = ''] = read('docs/alerts.md').split(`\n## ${name}\n`)
    const [own = ''] = section.split('\n## ')
    for (const answer of ['**Means**', '**Customers see**', '**Look at**', '**Mend**']) expect(own).toContain(answer)
    const [, severity] = new RegExp(`- alert: ${name}\\n[^]*?severity: (\\w+)`).exec(rules) ?? []
    expect(own).toContain(`*${severity}*`)
  })

  test('is fired by the tests of promtool', () => {
    expect(read('deploy/prometheus/olmos.test.yaml')).toContain(`{alertname="${name}"}`)
  })
})

const promtool = process.env.PROMTOOL_PATH ?? '/usr/bin/promtool'
const isThere = existsSync(promtool)

test.skipIf(!isThere)(
  `promtool has each rule fire${isThere ? '' : ' (not run: install prometheus, or set PROMTOOL_PATH)'}`,
  async () => {
    const cwd = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
    const call = async (...args: string[]) => (await promisify(execFile)(promtool, args, { cwd })).stdout
    expect(await call('check', 'rules', 'olmos.rules.yaml')).toContain(`SUCCESS: ${alerts.length} rules found`)
    expect(await call('test', 'rules', 'olmos.test.yaml')).toContain('SUCCESS')
  },
)

test('docs/alerts.md explains no alert that does not exist', () => {
  expect([...read('docs/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts)
})

test('the routes of payments are those that take money', () => {
  const [, pattern = ''] = /route=~"([^"]+)"/.exec(rules) ?? []
  const measured = endpoints
    .filter(({ method, path }) => method === 'POST' && new RegExp(`^(?:${pattern})$`).test(`/api${path}`))
    .map(({ path }) => path)
  expect(measured.toSorted()).toEqual(['/orders/topup', '/payment/buy-now', '/payment/create', '/payment/from-balance'])
})

test('a store that has sold nothing says so, else its first sale would not be seen as growth', async () => {
  const { body } = await shop.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  for (const method of ['balance', 'card'])
    expect(body).toContain(`olmos_orders_total{change="paid",method="${method}",purpose="goods"} 0\n`)
})
