import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkImports } from './check-imports.ts'

const packages = ['zod', 'fastify', 'react-router', '@tanstack/react-query']

/** A small store that keeps every rule. */
const lawful: Record<string, string[]> = {
  'contract/src/money.ts': ['zod'],
  'contract/src/cart.ts': ['./money.ts'],
  'server/src/config.ts': [],
  'server/src/platform/clock.ts': ['../config.ts'],
  'server/src/platform/http.ts': ['fastify', './clock.ts'],
  'server/src/modules/wallet/wallet.store.ts': [],
  'server/src/modules/wallet/debit.ts': ['./wallet.store.ts', '../../platform/clock.ts', '@olmos/contract/money'],
  'server/src/modules/cart/cart.routes.ts': ['../wallet/debit.ts', '@olmos/contract/cart'],
  'server/src/modules/checkout/pay.ts': ['../wallet/debit.ts'],
  'server/src/modules/checkout/pay.test.ts': ['./pay.ts', '../../../test/start-shop.ts'],
  'server/src/app.ts': ['./modules/cart/cart.routes.ts', './modules/checkout/pay.ts'],
  'server/src/main.ts': ['./app.ts'],
  'server/test/start-shop.ts': ['../src/app.ts'],
  'web/app/paths.ts': [],
  'web/app/ui/Board.tsx': [],
  'web/app/i18n/text.ts': [],
  'web/app/money/Price.tsx': ['../i18n/text.ts', '@olmos/contract/money'],
  'web/app/api/client.ts': ['@olmos/contract/cart'],
  'web/app/session/session.ts': ['../api/client.ts'],
  'web/app/features/cart/CartLine.tsx': ['../../ui/Board.tsx', '../../money/Price.tsx', '@tanstack/react-query'],
  'web/app/features/orders/Receipt.tsx': ['../../session/session.ts'],
  'web/app/pages/Cart.tsx': ['../features/cart/CartLine.tsx', '../paths.ts', 'react-router'],
  'web/app/admin/OrdersTab.tsx': ['../features/orders/Receipt.tsx'],
  'web/app/routes.ts': [],
  'web/app/root.tsx': ['./routes.ts', './pages/Cart.tsx'],
  'proof/e2e/buy.ts': ['@olmos/contract/money'],
}

let root: string

async function plant(file: string, imports: string[]): Promise<void> {
  const path = join(root, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(
    path,
    `${imports.map((name, at) => `import type * as i${at} from '${name}'`).join('\n')}\nexport const here = 1\n`,
  )
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'olmos-imports-'))
  for (const [file, imports] of Object.entries(lawful)) await plant(file, imports)
  for (const name of packages) {
    await mkdir(join(root, 'node_modules', name), { recursive: true })
    await writeFile(join(root, 'node_modules', name, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
    await writeFile(join(root, 'node_modules', name, 'index.js'), '')
  }
  await writeFile(
    join(root, 'contract/package.json'),
    JSON.stringify({ name: '@olmos/contract', exports: { './*': './src/*.ts' } }),
  )
  await mkdir(join(root, 'node_modules/@olmos'), { recursive: true })
  await symlink('../../contract', join(root, 'node_modules/@olmos/contract'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('a lawful store passes, and was read', async () => {
  const { modules, violations } = await checkImports(root)
  expect(violations).toEqual([])
  expect(modules).toEqual(expect.arrayContaining(Object.keys(lawful)))
})

test.each([
  ['no-cycle', 'server/src/modules/wallet/wallet.store.ts', './debit.ts'],
  ['every-import-exists', 'server/src/app.ts', './gone.ts'],
  ['contract-imports-only-zod', 'contract/src/money.ts', 'fastify'],
  ['contract-imports-only-zod', 'contract/src/money.ts', '../../server/src/config.ts'],
  ['contract-imports-only-zod', 'contract/src/money.ts', 'node:fs'],
  ['server-never-meets-web', 'server/src/app.ts', '../../web/app/paths.ts'],
  ['web-never-meets-server', 'web/app/api/client.ts', '../../../server/src/platform/clock.ts'],
  ['production-stands-alone', 'server/src/app.ts', '../test/start-shop.ts'],
  ['production-stands-alone', 'web/app/pages/Cart.tsx', '../../../proof/e2e/buy.ts'],
  ['platform-below-all', 'server/src/platform/clock.ts', '../modules/wallet/debit.ts'],
  ['platform-below-all', 'server/src/platform/clock.ts', '../app.ts'],
  ['modules-below-app', 'server/src/modules/wallet/debit.ts', '../../app.ts'],
  ['app-below-main', 'server/src/app.ts', './main.ts'],
  ['every-module-is-in-the-list', 'server/src/modules/gossip/tell.ts', '../../platform/clock.ts'],
  ['routes-are-private', 'server/src/modules/checkout/pay.ts', '../cart/cart.routes.ts'],
  ['app-asks-no-store', 'server/src/app.ts', './modules/wallet/wallet.store.ts'],
  ['wallet-looks-only-upwards', 'server/src/modules/wallet/debit.ts', '../checkout/pay.ts'],
  ['every-layer-is-in-the-list', 'web/app/misc/bits.ts', '../paths.ts'],
  ['ui-looks-only-upwards', 'web/app/ui/Board.tsx', '../i18n/text.ts'],
  ['ui-knows-only-react', 'web/app/ui/Board.tsx', 'react-router'],
  ['ui-knows-only-react', 'web/app/ui/Board.tsx', '@tanstack/react-query'],
  ['ui-knows-only-react', 'web/app/ui/Board.tsx', '@olmos/contract/money'],
  ['api-looks-only-upwards', 'web/app/api/client.ts', '../session/session.ts'],
  ['features-looks-only-upwards', 'web/app/features/cart/CartLine.tsx', '../../pages/Cart.tsx'],
  ['features-apart', 'web/app/features/cart/CartLine.tsx', '../orders/Receipt.tsx'],
  ['pages-looks-only-upwards', 'web/app/pages/Cart.tsx', '../admin/OrdersTab.tsx'],
  ['admin-apart', 'web/app/admin/OrdersTab.tsx', '../pages/Cart.tsx'],
  ['layers-below-routes', 'web/app/pages/Cart.tsx', '../routes.ts'],
  ['pages-run-in-browsers', 'web/app/pages/Cart.tsx', 'node:fs'],
])('%s: %s importing %s goes red', async (rule, file, specifier) => {
  await plant(file, [...(lawful[file] ?? []), specifier])
  const { violations } = await checkImports(root)
  expect(violations.map((violation) => violation.rule)).toContain(rule)
})
