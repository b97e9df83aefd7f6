/** The modules of the server, in the order of docs/architecture.md: a module may import those above it. */
const modules = [
  'pictures',
  'shop',
  'accounts',
  'regions',
  'promotions',
  'pricing',
  'rates',
  'catalogue',
  'wallet',
  'payments',
  'messages',
  'support',
  'codes',
  'topups',
  'sourcing',
  'coupons',
  'cart',
  'orders',
  'reviews',
  'delivery',
  'checkout',
  'proof',
  'alerts',
  'audit',
  'operations',
]

/** The folders of the web, likewise. Pages and admin stand side by side. */
const layers = ['theme', 'ui', 'i18n', 'money', 'api', 'session', 'features', 'pages', 'admin']

const test = '\\.test\\.tsx?$'
/** @param {string[]} names */
const oneOf = (names) => `(${names.join('|')})`

/**
 * A list of folders in which each may import only those before it.
 * @param {string} folder
 * @param {string[]} names
 */
const upwards = (folder, names) =>
  names.slice(0, -1).map((name, at) => ({
    name: `${name}-looks-only-upwards`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^${folder}/${name}/`, pathNot: test },
    to: { path: `^${folder}/${oneOf(names.slice(at + 1))}/` },
  }))

/**
 * @param {string} name
 * @param {import('dependency-cruiser').IRegularForbiddenRuleType['from']} from
 * @param {import('dependency-cruiser').IRegularForbiddenRuleType['to']} to
 */
const forbid = (name, from, to) => ({ name, severity: /** @type {const} */ ('error'), from, to })

export default {
  forbidden: [
    forbid('no-cycle', {}, { circular: true }),
    forbid('every-import-exists', {}, { couldNotResolve: true }),

    forbid(
      'contract-imports-only-zod',
      { path: '^contract/src/', pathNot: test },
      { pathNot: ['^contract/src/', 'node_modules/zod/'] },
    ),
    forbid('server-never-meets-web', { path: '^server/' }, { path: '^web/' }),
    forbid('web-never-meets-server', { path: '^web/' }, { path: '^server/' }),
    forbid(
      'production-stands-alone',
      { path: ['^contract/src/', '^server/src/', '^web/app/'], pathNot: test },
      { path: ['^server/test/', '^proof/', '^studio/', '^scripts/', test] },
    ),
    forbid('proof-never-meets-studio', { path: '^(proof|scripts)/' }, { path: '^studio/' }),

    forbid(
      'platform-below-all',
      { path: '^server/src/platform/' },
      { path: '^server/src/', pathNot: ['^server/src/platform/', '^server/src/(config|limits|business)\\.ts$'] },
    ),
    forbid(
      'modules-below-app',
      { path: '^server/src/modules/', pathNot: test },
      {
        path: '^server/src/',
        pathNot: ['^server/src/(modules|platform|demo)/', '^server/src/(config|limits|business)\\.ts$'],
      },
    ),
    forbid('app-below-main', { path: '^server/src/(app|storefront)\\.ts$' }, { path: '^server/src/main\\.ts$' }),
    forbid('every-module-is-in-the-list', { path: `^server/src/modules/(?!${oneOf(modules)}/)` }, {}),
    forbid(
      'routes-are-private',
      { path: '^server/src/modules/([^/]+)/', pathNot: test },
      { path: '^server/src/modules/.+\\.(routes|admin)\\.ts$', pathNot: '^server/src/modules/$1/' },
    ),
    forbid('app-asks-no-store', { path: '^server/src/[^/]+\\.ts$' }, { path: '^server/src/modules/.+\\.store\\.ts$' }),
    ...upwards('server/src/modules', modules),

    forbid('every-layer-is-in-the-list', { path: `^web/app/(?!${oneOf(layers)}/)[^/]+/` }, {}),
    forbid(
      'ui-knows-only-react',
      { path: '^web/app/ui/' },
      {
        path: [
          '^contract/(?!src/(limits|color)\\.ts$)',
          'node_modules/(react-router|@react-router|@tanstack|i18next)/',
          '^web/app/paths',
        ],
      },
    ),
    forbid('features-apart', { path: '^web/app/features/([^/]+)/' }, { path: '^web/app/features/(?!$1/)' }),
    forbid('admin-apart', { path: '^web/app/admin/' }, { path: '^web/app/pages/' }),
    forbid(
      'layers-below-routes',
      { path: '^web/app/[^/]+/', pathNot: test },
      { path: '^web/app/(root|routes|entry\\.[a-z]+)\\.tsx?$' },
    ),
    forbid(
      'pages-run-in-browsers',
      { path: '^web/app/', pathNot: [test, '^web/app/entry\\.server\\.tsx$'] },
      { dependencyTypes: [/** @type {const} */ ('core')] },
    ),
    ...upwards('web/app', layers),
  ],
  options: {
    // TypeScript 7 has no parser for other tools.
    parser: /** @type {const} */ ('swc'),
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/build/', '/\\.react-router/', '\\+types/', '\\.(css|svg)'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
}
