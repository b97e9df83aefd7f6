import { type ClientInstrumentation, matchRoutes, type RouteObject } from 'react-router'

type RouteFile = RouteObject & { parentId?: string; module: string }

/** What the router keeps on the page, as far as it is used here. */
interface RouterGlobals {
  __reactRouterManifest?: { routes: Record<string, RouteFile> }
  __reactRouterDataRouter?: {
    state: {
      navigation: { location?: { pathname: string; search: string; hash: string; state: unknown; key: string } }
    }
  }
}

/**
 * After a deploy the files of an older page may be gone. The router then reloads the current page, and the navigation is
 * lost; so the address becomes the target first, together with its state.
 */
export const reloadWhereWanted: ClientInstrumentation = {
  router({ instrument }) {
    instrument({
      async navigate(go, { to }) {
        // Back and forward change the address before anything is loaded.
        if (typeof to === 'string') for (const file of listFiles(to)) import(/* @vite-ignore */ file).catch(takeAddress)
        await go()
      },
    })
  },
}

const globals = (): RouterGlobals => window as RouterGlobals

function listFiles(to: string): string[] {
  const routes = Object.values(globals().__reactRouterManifest?.routes ?? {})
  const pages = routes.filter(({ parentId }) => parentId === 'root')
  const { pathname } = new URL(to, window.location.href)
  return (matchRoutes(pages, pathname) ?? []).map(({ route }) => route.module)
}

/** The router may have begun to load the old address by now, which this ends. */
function takeAddress(): void {
  const wanted = globals().__reactRouterDataRouter?.state.navigation.location
  if (!wanted) return
  const { pathname, search, hash, state, key } = wanted
  const entry = { usr: state, key, idx: (window.history.state?.idx ?? 0) + 1 }
  window.history.pushState(entry, '', pathname + search + hash)
  window.location.reload()
}
