import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const library = join(import.meta.dirname, '../node_modules/@mantine')

/** Sheets that belong to no component; every page needs them. */
const grounds = ['baseline', 'default-css-variables', 'global']

/** The sheets that the sources' imports of Mantine's components need, in the library's own order. */
export function sheetsFor(sources: readonly string[]): string[] {
  const seen = new Set<string>()
  for (const source of sources) follow(filesBehind(source), seen)
  const needed = new Set([...seen].flatMap((file) => /([^/]+)\.module\.mjs$/.exec(file)?.[1] ?? []))
  const order = libraryOrder()
  return order.filter((sheet) => grounds.includes(sheet) || needed.has(sheet))
}

/** The sheets a stylesheet of ours imports. */
export const sheetsIn = (stylesheet: string): string[] =>
  [...stylesheet.matchAll(/@import "@mantine\/core\/styles\/([\w-]+)\.css"/g)].map(([, sheet = '']) => sheet)

interface Lists {
  listed: readonly string[]
  needed: readonly string[]
}

/** Says what a list lacks, has for nothing, or has in another order than the library. */
export function findProblems({ listed, needed }: Lists): string[] {
  const kept = listed.filter((sheet) => needed.includes(sheet))
  const wanted = needed.filter((sheet) => listed.includes(sheet))
  return [
    ...needed.filter((sheet) => !listed.includes(sheet)).map((sheet) => `${sheet}.css is missing`),
    ...listed.filter((sheet) => !needed.includes(sheet)).map((sheet) => `nothing needs ${sheet}.css`),
    ...kept.flatMap((sheet, at) =>
      sheet === wanted[at] ? [] : [`${sheet}.css stands where the library has ${wanted[at]}`],
    ),
  ]
}

/** The files of the library that what a source imports comes from. */
function filesBehind(source: string): string[] {
  return ['core', 'charts'].flatMap((name) => {
    const index = join(library, name, 'esm/index.mjs')
    const homes = readImports(readFileSync(index, 'utf8'))
    return [...source.matchAll(new RegExp(`import \\{([^}]+)\\} from ["']@mantine/${name}["']`, 'g'))]
      .flatMap(([, names = '']) => names.split(',').map((one) => one.trim().split(' ')[0] ?? ''))
      .flatMap((one) => {
        const home = homes.get(one)
        return home ? [join(dirname(index), home)] : []
      })
  })
}

/** Adds the files and all that they import, of the library's other packages too. */
function follow(files: string[], seen: Set<string>): void {
  for (const file of files) {
    if (seen.has(file)) continue
    seen.add(file)
    const text = readFileSync(file, 'utf8')
    const beside = [...new Set(readImports(text).values())].map((path) => join(dirname(file), path))
    follow([...beside, ...filesBehind(text)], seen)
  }
}

/** What is imported from files beside, by name. */
function readImports(text: string): Map<string, string> {
  const imports = text.matchAll(/^import (?:\{([^}]+)\}|(\w+)) from "(\.[^"]+)"/gm)
  return new Map(
    [...imports].flatMap(([, names, whole, path = '']) =>
      (names ?? whole ?? '').split(',').map((name) => [name.trim().split(' ')[0] ?? '', path] as const),
    ),
  )
}

/** Later sheets overrule earlier ones, so their order is that of the library's sheet that has them all. */
function libraryOrder(): string[] {
  const folder = join(library, 'core/styles')
  const all = readFileSync(join(library, 'core/styles.css'), 'utf8')
  const places = globSync('*.css', { cwd: folder })
    .filter((file) => !file.endsWith('.layer.css'))
    .map((file) => ({
      sheet: basename(file, '.css'),
      at: all.indexOf(readFileSync(join(folder, file), 'utf8').trim()),
    }))
  const lost = places.filter(({ at }) => at < 0).map(({ sheet }) => sheet)
  if (lost.length > 0) throw new Error(`not found in the library's whole stylesheet: ${lost.join(', ')}`)
  return places.sort((one, other) => one.at - other.at).map(({ sheet }) => sheet)
}
