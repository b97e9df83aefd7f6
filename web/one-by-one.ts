import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** A later one may export what those before it have. */
const packages = ['@tanstack/query-core', '@tanstack/react-query', '@mantine/hooks', '@mantine/core'] as const
const icons = '@tabler/icons-react'
const imported = new RegExp(`import \\{([^}]+)\\} from ['"](${[icons, ...packages].join('|')})['"]`, 'g')

/**
 * Imports each part, hook and icon from its own file, also where packages import each other. Their indexes name thousands,
 * which a build would read every time, and hide from it which page needs what.
 */
export function oneByOne(): Plugin {
  const files = new Map<string, Map<string, string>>()
  for (const name of packages)
    files.set(name, new Map([...(files.get('@tanstack/query-core') ?? []), ...listFiles(name)]))
  const toImport = (from: string, names: string): string => {
    const [name = names] = names.split(' as ')
    if (from === icons) return `import ${name} from '${icons}/dist/esm/icons/${name}.mjs'`
    const file = files.get(from)?.get(name)
    if (!file) throw new Error(`${from} has no ${name} in its index`)
    return `import { ${names} } from ${JSON.stringify(file)}`
  }
  return {
    name: 'one-by-one',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: {
        id: /\/web\/app\/.+\.tsx?$|\/node_modules\/@(?:mantine|tanstack)\/.+\.m?js$/,
        code: /@tabler\/icons-react|@mantine\/(?:core|hooks)|@tanstack\//,
      },
      handler: (code) => ({
        code: code.replace(imported, (_, names, from) =>
          valuesIn(names)
            .map((name) => toImport(from, name))
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

/** Where each of a package's exports lives, as its index says. */
function listFiles(name: string): Map<string, string> {
  const index = fileURLToPath(import.meta.resolve(name))
    .replace(/cjs\/index\.cjs$/, 'esm/index.mjs')
    .replace(/\.cjs$/, '.js')
  const imports = readFileSync(index, 'utf8').matchAll(/^import \{([^}]+)\} from "(\.[^"]+)"/gm)
  return new Map(
    [...imports].flatMap(([, names = '', path = '']) =>
      valuesIn(names).map((name) => [name, join(dirname(index), path)] as const),
    ),
  )
}
