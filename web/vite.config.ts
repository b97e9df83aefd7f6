import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.OLMOS_SERVER ?? 'http://localhost:3000'

/** Imports each icon from its own file: the package's index has 6,000 of them, which a build would read every time. */
function iconsOneByOne(): Plugin {
  const fromIndex = /import \{([^}]+)\} from '@tabler\/icons-react'/g
  return {
    name: 'icons-one-by-one',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/app\/.+\.tsx?$/, code: '@tabler/icons-react' },
      handler: (code) => ({ code: code.replace(fromIndex, (_, names: string) => oneByOne(names)), map: null }),
    },
  }
}

const oneByOne = (names: string): string =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs'`)
    .join(';')

export default defineConfig({
  plugins: [iconsOneByOne(), reactRouter()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { proxy: { '/api': server } },
  ssr: { noExternal: [/^@mantine\//, '@tabler/icons-react'] },
})
