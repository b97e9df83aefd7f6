import type { Plugin } from 'vite'

const discovery = /\/react-router\/dist\/production\/lib\/dom\/ssr\/fog-of-war\.js$/

/**
 * Leaves out how the router finds routes while one browses: every page has the list of all of them (`routeDiscovery` in
 * react-router.config.ts). A name that a later version of the router needs besides these breaks the build.
 */
export const knownRoutes = (): Plugin => ({
  name: 'known-routes',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  load: {
    filter: { id: discovery },
    handler: () => `
export const isFogOfWarEnabled = () => false
export const getPatchRoutesOnNavigationFunction = () => undefined
export const useFogOFWarDiscovery = () => {}
export const getPartialManifest = (manifest) => manifest
export const getManifestPath = () => ''
export const getPathsWithAncestors = () => []
export const handleClientVersionMismatch = async () => false
`,
  },
})
