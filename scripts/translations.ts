/** Texts by their key, nested or flat, as web/app/i18n keeps them. */
export interface Texts {
  [key: string]: string | Texts
}

/** The plural forms a language can't do without; i18next falls back to `other` by itself. */
const pluralForms: Record<string, string[]> = { ru: ['one', 'few', 'many'], en: ['one', 'other'], uz: ['other'] }

const pluralEnding = /_(zero|one|two|few|many|other)$/

export interface Question {
  /** The texts of each language. */
  texts: Record<string, Texts>
  /** The sources that ask for texts: path and contents. */
  sources: Record<string, string>
  /** Keys composed at run time: what each begins with and how it can go on, where that is known. */
  composed: Record<string, readonly string[] | 'anyhow'>
}

/** The texts of two files as one; a key that stands in both is a mistake. */
export function joined(texts: Texts, more: Texts, path = ''): Texts {
  const both = { ...texts }
  for (const [key, value] of Object.entries(more)) {
    const known = both[key]
    if (known !== undefined && (typeof known === 'string' || typeof value === 'string')) {
      throw new Error(`${path}${key} stands in two files`)
    }
    both[key] = typeof value === 'string' ? value : joined(known ?? {}, value, `${path}${key}.`)
  }
  return both
}

interface Language {
  language: string
  flat: Map<string, string>
}

/** Says what is missing, left over or at odds in the translations; nothing when they are complete. */
export function findProblems({ texts, sources, composed }: Question): string[] {
  const languages = Object.entries(texts).map(([language, tree]) => ({ language, flat: flatten(tree) }))
  const keys = new Set(languages.flatMap(({ flat }) => [...flat.keys()].map(baseOf)))
  const asked = askedIn(sources, composed)
  const starts = Object.keys(composed).filter((start) => composed[start] === 'anyhow')
  return [
    ...[...keys].flatMap((key) => missingForms(languages, key)),
    ...[...keys].flatMap((key) => differentPlaceholders(languages, key)),
    ...asked.wrong,
    ...[...asked.keys]
      .filter(([key]) => !keys.has(key))
      .map(([key, where]) => `${where} asks for ${key}, which no language has`),
    ...[...keys]
      .filter(
        (key) => !asked.keys.has(key) && !asked.mentioned.has(key) && !starts.some((start) => key.startsWith(start)),
      )
      .map((key) => `nothing asks for ${key}`),
  ]
}

function flatten(tree: Texts, path = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      typeof value === 'string' ? [[path + name, value] as const] : [...flatten(value, `${path}${name}.`)],
    ),
  )
}

const baseOf = (key: string) => key.replace(pluralEnding, '')

const formsOf = (flat: Map<string, string>, key: string) => [...flat].filter(([known]) => baseOf(known) === key)

function missingForms(languages: Language[], key: string): string[] {
  const isPlural = languages.some(({ flat }) => formsOf(flat, key).some(([known]) => known !== key))
  return languages.flatMap(({ language, flat }) => {
    const wanted = isPlural ? (pluralForms[language] ?? ['other']).map((form) => `${key}_${form}`) : [key]
    const missing = wanted.filter((form) => !flat.has(form)).map((form) => `${language}: ${form} is missing`)
    const empty = formsOf(flat, key).filter(([, text]) => text.trim() === '')
    return [...missing, ...empty.map(([form]) => `${language}: ${form} is empty`)]
  })
}

function differentPlaceholders(languages: Language[], key: string): string[] {
  const found = languages.map(({ language, flat }) => {
    const text = formsOf(flat, key)
      .map(([, form]) => form)
      .join(' ')
    const names = [...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}|<(\w+)>/g)].map(([, name, tag]) => name ?? `<${tag}>`)
    return { language, names: [...new Set(names)].sort().join(', ') }
  })
  if (new Set(found.map(({ names }) => names)).size <= 1) return []
  return [
    `${key} has other placeholders in each language: ${found.map(({ language, names }) => `${language} (${names})`).join(' ')}`,
  ]
}

interface Asked {
  /** Keys that are surely asked for, and by which file. */
  keys: Map<string, string>
  /** Texts that look like a key: it may be handed to `t` elsewhere. */
  mentioned: Set<string>
  wrong: string[]
}

function askedIn(sources: Record<string, string>, composed: Question['composed']): Asked {
  const asked: Asked = { keys: new Map(), mentioned: new Set(), wrong: [] }
  for (const [file, source] of Object.entries(sources)) {
    for (const [, key] of source.matchAll(/(?:\bt\(|i18nKey=\{?)\s*['"`]([^'"`$\s]+)['"`]/g))
      asked.keys.set(key as string, file)
    for (const [, key] of source.matchAll(/['"`]([a-z]\w*(?:\.\w+)+)['"`]/g)) asked.mentioned.add(key as string)
    for (const [, start] of source.matchAll(/\bt\(\s*`([^`$]*)\$\{/g)) {
      if (composed[start as string] === undefined)
        asked.wrong.push(`${file} composes a key from ${start}, which is not listed`)
    }
  }
  for (const [start, endings] of Object.entries(composed)) {
    if (endings === 'anyhow') continue
    for (const ending of endings) asked.keys.set(start + ending, 'the list of composed keys')
  }
  return asked
}
