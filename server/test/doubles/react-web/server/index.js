import { Module } from 'node:module'
import 'react-dom/server'
import { createContext, RouterContextProvider } from 'react-router'

/** @type {{ _cache: Record<string, NodeJS.Module> }} */
const { _cache: modules } = /** @type {any} */ (Module)
const isReact = (/** @type {string} */ path) => /react-dom-server|react\.(production|development)/.test(path)
const loaded = Object.keys(modules).filter((path) => modules[path]?.loaded && isReact(path))
// A built web with a few pages; it refuses to be loaded with the wrong build of React.
if (loaded.length === 0 || loaded.some((path) => !path.includes('production'))) throw new Error(`loaded: ${loaded}`)

const pageValues = createContext()

/**
 * @param {Request} request
 * @param {number} _status
 * @param {Headers} _headers
 * @param {unknown} _entry
 * @param {any} context
 */
async function renderDocument(request, _status, _headers, _entry, context) {
  const { api, nonce } = context.get(pageValues)
  const { pathname } = new URL(request.url)
  if (pathname === '/deadly') process.exit(1)
  if (pathname === '/endless') for (;;);
  if (pathname === '/greedy') for (const kept = []; ; ) kept.push(new Array(1_000_000).fill(kept.length))
  if (pathname === '/deadly-later') {
    setTimeout(() => {
      throw new Error('thrown later')
    }, 50)
  }
  const until = performance.now() + (pathname === '/busy' ? 500 : 0)
  while (performance.now() < until);
  if (pathname === '/half') return new Response('<html><body>')
  const reads = await Promise.all(['/api/a', '/api/b'].map(api))
  const script = `<script nonce="${nonce}">1</script>`
  return new Response(`<html><body>${script}${JSON.stringify(reads)}</body></html>`)
}

const module = { default: () => null }
export const routes = Object.fromEntries([
  ['root', { id: 'root', path: '', module }],
  ['home', { id: 'home', parentId: 'root', index: true, module }],
  ...[
    'deadly',
    'deadly-later',
    'endless',
    'greedy',
    'half',
    'busy',
    'products/steam',
    'products/:slug',
    'help/:topic?',
    '*',
  ].map((path) => [path, { id: path, parentId: 'root', path, module }]),
])
export const entry = {
  module: {
    default: renderDocument,
    makeContext: (/** @type {unknown} */ values) => new RouterContextProvider(new Map([[pageValues, values]])),
  },
}
export const assets = { routes: {}, entry: { module: '', imports: [] }, url: '', version: '' }
export const [publicPath, basename, assetsBuildDirectory] = ['/', '/', '']
export const [future, isSpaMode, ssr, prerender] = [{}, false, true, []]
export const routeDiscovery = { mode: 'initial' }
