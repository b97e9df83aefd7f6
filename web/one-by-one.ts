import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Imports each part and icon from its own file. The packages' indexes name thousands, which a build would read every
 * time, and hide from it which page needs what.
 */
export function oneByOne(): Plugin {
  const parts = mantineFiles()
  const fileOf: Record<string, (name: string) => string | undefined> = {
    '@tabler/icons-react': (name) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs'`,
    '@mantine/core': (name) => `import { ${name} } from ${JSON.stringify(parts.get(name))}`,
  }
  return {
    name: 'one-by-one',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/app\/.+\.tsx?$/, code: /@tabler\/icons-react|@mantine\/core/ },
      handler: (code) => ({
        code: code.replace(/import \{([^}]+)\} from '(@tabler\/icons-react|@mantine\/core)'/g, (_, names, index) =>
          valuesIn(names)
            .map(fileOf[index] ?? String)
            .join(';'),
        ),
        map: null,
      }),
    },
  }
}

const valuesIn = (names: string): string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

/** Where each of Mantine's exports lives, as its index says. */
function mantineFiles(): Map<string, string> {
  const index = fileURLToPath(import.meta.resolve('@mantine/core')).replace(/cjs\/index\.cjs$/, 'esm/index.mjs')
  const imports = readFileSync(index, 'utf8').matchAll(/^import \{([^}]+)\} from "([^"]+)"/gm)
  return new Map(
    [...imports].flatMap(([, names = '', path = '']) =>
      valuesIn(names).map((name) => [name, join(dirname(index), path)] as const),
    ),
  )
}
