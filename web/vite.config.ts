import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { chunkGroups, serverChunkGroups } from './chunk-groups.ts'
import { firstStyles } from './first-styles.ts'
import { knownRoutes } from './known-routes.ts'
import { oneByOne } from './one-by-one.ts'
import { splitTexts } from './split-texts.ts'

const server = process.env.OLMOS_SERVER ?? 'http://localhost:3000'

export default defineConfig({
  plugins: [oneByOne(), splitTexts(), knownRoutes(), reactRouter(), firstStyles()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } },
    ssr: {
      // React's build for development, which no server runs, would be in there too.
      keepProcessEnv: false,
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups: serverChunkGroups },
            // One letter of another alphabet, and V8 keeps the whole text of a file in two bytes a letter. Comments are not
            // escaped, so only those of licences are left.
            charset: 'ascii',
            comments: { annotation: false, jsdoc: false, legal: true },
          },
        },
      },
    },
  },
  // In development pages are rendered here, and ask the server for what they show.
  define: { 'import.meta.env.OLMOS_SERVER': JSON.stringify(server) },
  server: { proxy: { '/api': server } },
  // The built server carries what its pages are made of, so that a release needs none of these packages. These two stay
  // outside, because the store's server gives the build contexts and a router of its own copy.
  ssr: { noExternal: true, external: ['react', 'react-router'] },
})
