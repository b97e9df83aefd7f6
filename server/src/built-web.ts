import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Language } from '@olmos/contract/fields'
import type { RouteObject, RouterContextProvider, ServerBuild } from 'react-router'
import { asProduction } from './config.ts'

const webFolder = new URL('../../web/build/', import.meta.url)

/** What a page's loader may know of the request; the web's entry.server turns it into its context. */
export interface PageValues {
  api(path: string): Promise<{ status: number; body: unknown }>
  publicUrl: string
  supportUrl: string | undefined
  openSandbox: 'payments' | 'deliveries' | undefined
  nonce: string
  language: Language
  currency: 'RUB' | 'USD'
  colorScheme: 'dark' | 'light'
}

/** The built web, as the server sees it. */
export interface Web {
  /** The folder of the files that browsers get unchanged. */
  files: string
  /** Whether a page has this path, besides the not-found page. */
  hasPage(path: string): boolean
  /** The slug in the path of a product that has no page of its own kind. */
  productAt(path: string): string | undefined
  render(request: Request, values: PageValues): Promise<Response>
}

type WebBuild = ServerBuild & { entry: { module: { makeContext(values: PageValues): RouterContextProvider } } }

/** Opens the web that `npm run build` made, or returns undefined when it was not built. */
export async function openBuiltWeb(folder = webFolder): Promise<Web | undefined> {
  const entry = new URL('server/index.js', folder)
  if (!existsSync(entry)) return undefined
  const { build, createRequestHandler, matchRoutes } = await asProduction(async () => ({
    build: (await import(pathToFileURL(entry.pathname).href)) as WebBuild,
    ...(await import('react-router')),
  }))
  const handle = createRequestHandler(build, 'production')
  const routes = routesBelow(build)
  return {
    files: new URL('client/', folder).pathname,
    hasPage: (path) => {
      const match = matchRoutes(routes, path)?.at(-1)
      // No product, order or tab has a dot in its name; files have.
      const hasDot = Object.values(match?.params ?? {}).some((value) => value?.includes('.'))
      return match !== undefined && match.route.path !== '*' && !hasDot
    },
    productAt: (path) => matchRoutes(routes, path)?.at(-1)?.params.slug,
    render: (request, values) => handle(request, build.entry.module.makeContext(values)),
  }
}

/** Turns the build's flat list of routes into a tree. */
function routesBelow(build: WebBuild, parentId?: string): RouteObject[] {
  return Object.values(build.routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return []
    if (route.index) return [{ index: true }]
    return [{ ...(route.path !== undefined && { path: route.path }), children: routesBelow(build, route.id) }]
  })
}
