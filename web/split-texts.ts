import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Texts } from './app/i18n/translate.ts'
import { asksFor, toStem } from './asked-texts.ts'

const app = join(import.meta.dirname, 'app')
const dictionary = /\/web\/app\/i18n\/(ru|en|uz)\.ts$/
const part = /\/web\/app\/i18n\/((?:ru|en|uz)\.ts)\?(first|rest)$/

/** Runs on the server, which has all texts. */
const loader = /^export (?:async )?function loader[\s\S]*?^\}/m

/** The pages that most visits begin with; those of Mantine's parts have all texts. */
const firstPages = ['entry.client.tsx', 'root.tsx', 'pages/Home.tsx', 'pages/ProductList.tsx', 'pages/ProductPage.tsx']

/**
 * Splits each dictionary in two: `ru.ts?first` has the texts that the first pages ask for, with all they import, and
 * `ru.ts?rest` all others. Tells text-files.ts the names of both files, so that a page can ask for its texts at once.
 */
export function splitTexts(): Plugin {
  const files: Record<string, string> = {}
  return {
    name: 'split-texts',
    enforce: 'pre',
    // The client is built before the server.
    sharedDuringBuild: true,
    async load(id) {
      const [, file, which] = part.exec(id) ?? []
      if (!file) return null
      this.addWatchFile(join(app, 'i18n', file))
      const isAsked = asksFor(listFirstSources().map((source) => readFileSync(source, 'utf8').replace(loader, '')))
      const texts = await import(`${pathToFileURL(join(app, 'i18n', file))}?at=${Date.now()}`)
      const picked = pick(texts[file.slice(0, 2)], (key) => isAsked(toStem(key)) === (which === 'first'))
      return { code: `export default ${JSON.stringify(picked)}`, moduleType: 'js' }
    },
    transform: {
      filter: { id: /\/web\/app\/i18n\/text-files\.ts$/ },
      handler: () => `export const textFiles = ${JSON.stringify(files)}`,
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const [, file, which] = (chunk.type === 'chunk' && part.exec(chunk.facadeModuleId ?? '')) || []
        if (file) files[`${file.slice(0, 2)}?${which}`] = `/${chunk.fileName}`
      }
    },
  }
}

/** What a module imports of others here, and under which names; nothing that is a type alone. */
const imports = /^import (?!type )(?:([^']*?) from )?'(\.[^']+\.tsx?)'$/gm

/** The sources of the first pages: what they import, and so on, but not what their loaders alone need or what they import later. */
export function listFirstSources(): string[] {
  const found = new Set(firstPages.map((file) => join(app, file)))
  for (const file of found) {
    const source = readFileSync(file, 'utf8').replace(loader, '')
    const rest = source.replace(imports, '')
    for (const [, names, path = ''] of source.matchAll(imports)) {
      const imported = join(dirname(file), path)
      if (isUsed(names, rest) && existsSync(imported) && !dictionary.test(imported)) found.add(imported)
    }
  }
  return [...found]
}

const isUsed = (names: string | undefined, rest: string): boolean =>
  names === undefined ||
  (names.match(/\w+(?=\s*(?:[,}]|$))/g) ?? []).some((name) => new RegExp(`\\b${name}\\b`).test(rest))

/** The texts whose keys are wanted, in their groups. */
function pick(texts: Texts, isWanted: (key: string) => boolean, path = ''): Texts {
  const picked = Object.entries(texts).map(([name, text]) => {
    const key = path + name
    if (typeof text === 'string') return [name, isWanted(key) ? text : undefined] as const
    const group = pick(text, isWanted, `${key}/`)
    return [name, Object.keys(group).length > 0 ? group : undefined] as const
  })
  return Object.fromEntries(picked.filter(([, text]) => text !== undefined)) as Texts
}
