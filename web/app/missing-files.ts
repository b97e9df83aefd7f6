import { type ClientInstrumentation, matchRoutes, type RouteObject } from 'react-router'

type RouteFile = RouteObject & { id: string; parentId?: string; module: string }

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
        let isOver = false
        const leave = (wanted: string) => isOver || takeAddress(wanted)
        // Back and forward change the address before anything is loaded.
        if (typeof to === 'string')
          for (const file of listFiles(to)) import(/* @vite-ignore */ file).catch(() => leave(to))
        await go()
        isOver = true
      },
    })
  },
}

const globals = (): RouterGlobals => window as RouterGlobals

function listFiles(to: string): string[] {
  const routes = Object.values(globals().__reactRouterManifest?.routes ?? {})
  const routesIn = (parent: string): RouteFile[] =>
    routes
      .filter(({ parentId }) => parentId === parent)
      .map((route) => (route.index ? route : { ...route, children: routesIn(route.id) }))
  const { pathname } = new URL(to, window.location.href)
  return (matchRoutes(routesIn('root'), pathname) ?? []).map(({ route }) => route.module)
}

/**
 * The router may have begun to load the old address by now, which this ends; or it does not know yet where it is going, since
 * a file that is asked for without a network is gone at once.
 */
function takeAddress(to: string): void {
  const wanted = globals().__reactRouterDataRouter?.state.navigation.location
  const idx = (window.history.state?.idx ?? 0) + 1
  if (!wanted) window.history.pushState({ idx }, '', to)
  else {
    const { pathname, search, hash, state, key } = wanted
    window.history.pushState({ usr: state, key, idx }, '', pathname + search + hash)
  }
  window.location.reload()
}
