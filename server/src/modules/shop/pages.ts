import { Failure } from '@olmos/contract/failure'
import { type Language, languages } from '@olmos/contract/fields'
import {
  type PageBlock,
  type PageName,
  type PageVersion,
  pageNames,
  pagesApi,
  pageTexts,
  type ShownPage,
  type WrittenPage,
} from '@olmos/contract/pages'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { addVersion, lockSection, readNewest, readVersion, type SettingRow } from './shop.ts'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root['children'][number]
type Frame = PageBlock['frames'][number]
type Words = PageBlock['words'][number]

/** What may not be in a text, and in which of its lines. */
interface Fault {
  line: number
  key: 'page_image' | 'page_link' | 'page_depth'
}

/** How many faults of a text are told at once. */
const toldFaults = 20

/** How deep lists, quotes and marks may stand in each other. */
const depthMax = 12

/** HTML stays the characters it is written with, and lines that somebody moved to the right are no code. */
const disabled = { disable: { null: ['htmlFlow', 'htmlText', 'codeIndented'] } }

/** An https address, a mailbox, a phone, or a page of the shop: nothing that a browser would run. */
const isAllowed = (url: string): boolean =>
  /^(?:https:\/\/|mailto:|tel:)[^\s"'<>\\]+$/i.test(url) || /^\/(?!\/)[^\s"'<>\\]*$/.test(url)

/** Reads a text in Markdown (https://spec.commonmark.org), and finds what may not be in it. */
export function readMarkdown(text: string): { blocks: PageBlock[]; faults: Fault[] } {
  const root: Root = fromMarkdown(text, { extensions: [disabled] })
  const blocks: PageBlock[] = []
  const faults: Fault[] = []
  const addresses = new Map<string, string>()
  let frames = 0
  const toLine = (node: Node): number => node.position?.start.line ?? 1
  const blame = (node: Node, key: Fault['key']) => faults.push({ line: toLine(node), key })

  const noteAddresses = (node: Node, depth: number): void => {
    if (node.type === 'definition' && !addresses.has(node.identifier)) addresses.set(node.identifier, node.url)
    if ('children' in node && depth < depthMax) for (const child of node.children) noteAddresses(child, depth + 1)
  }

  const readLink = (node: Node, url: string | undefined): string | null => {
    if (url !== undefined && isAllowed(url)) return url
    blame(node, 'page_link')
    return null
  }

  const readWords = (nodes: readonly Node[], { marks, url }: Pick<Words, 'marks' | 'url'>, depth: number): Words[] =>
    nodes.flatMap((node): Words[] => {
      if (depth > depthMax) {
        blame(node, 'page_depth')
        return []
      }
      switch (node.type) {
        case 'text':
          return [{ text: node.value, marks, url }]
        case 'inlineCode':
          return [{ text: node.value, marks: [...marks, 'code'], url }]
        case 'break':
          return [{ text: '\n', marks, url }]
        case 'strong':
        case 'emphasis': {
          const more = marks.includes(node.type) ? marks : [...marks, node.type]
          return readWords(node.children, { marks: more, url }, depth + 1)
        }
        case 'link':
          return readWords(node.children, { marks, url: readLink(node, node.url) }, depth + 1)
        case 'linkReference':
          return readWords(node.children, { marks, url: readLink(node, addresses.get(node.identifier)) }, depth + 1)
        case 'image':
        case 'imageReference':
          blame(node, 'page_image')
          return []
        default:
          return []
      }
    })

  const readBlock = (node: Node, within: Frame[]): void => {
    const frame = (kind: Frame['kind'], start = 1): Frame[] => [...within, { kind, id: ++frames, start }]
    const plain = { marks: [], url: null }
    const add = (kind: PageBlock['kind'], words: Words[], level = 0) =>
      void blocks.push({ kind, line: toLine(node), level, frames: within, words })
    if (within.length > depthMax) return void blame(node, 'page_depth')
    switch (node.type) {
      case 'heading':
        return add('heading', readWords(node.children, plain, 0), node.depth)
      case 'paragraph':
        return add('paragraph', readWords(node.children, plain, 0))
      case 'code':
        return add('code', [{ text: node.value, ...plain }])
      case 'thematicBreak':
        return add('rule', [])
      case 'definition':
        return void readLink(node, node.url)
      case 'blockquote': {
        const quote = frame('quote')
        for (const child of node.children) readBlock(child, quote)
        return
      }
      case 'list': {
        const list = node.ordered ? frame('numbers', node.start ?? 1) : frame('bullets')
        for (const item of node.children) {
          const inItem: Frame[] = [...list, { kind: 'item', id: ++frames, start: 1 }]
          for (const child of item.children) readBlock(child, inItem)
        }
      }
    }
  }

  for (const node of root.children) noteAddresses(node, 0)
  for (const node of root.children) readBlock(node, [])
  return { blocks: withLevels(blocks), faults }
}

/** The page has a title of its own, so the highest headings of a text come second, however they were written. */
function withLevels(blocks: readonly PageBlock[]): PageBlock[] {
  const highest = Math.min(...blocks.flatMap(({ kind, level }) => (kind === 'heading' ? [level] : [])))
  return blocks.map((block) =>
    block.kind === 'heading' ? { ...block, level: Math.min(block.level - highest + 2, 4) } : block,
  )
}

/** Reads a text that may be shown, or refuses it by its lines: `texts.ru.12`. */
function readText(text: string | null, field: string): PageBlock[] {
  const { blocks, faults } = readMarkdown(text ?? '')
  if (faults.length === 0) return blocks
  const errors = faults.slice(0, toldFaults).map(({ line, key }) => [`${field}.${line}`, key] as const)
  throw new Failure('VALIDATION_FAILED', Object.fromEntries(errors))
}

function toWritten(name: PageName, { value, changed_at, ...change }: SettingRow): WrittenPage {
  return { name, ...pageTexts.parse(value), ...change, changed_at: changed_at.toISOString() }
}

interface VersionRow extends Omit<PageVersion, 'changed_at'> {
  changed_at: Date
}

const selectVersions = sql`
  SELECT section AS name, is_published, shop_setting.version, changed_at, nickname AS changed_by,
    ARRAY (SELECT jsonb_object_keys(value -> 'texts')) AS languages
  FROM shop_setting LEFT JOIN users ON users.id = changed_by`

const listPages = (queries: Queries) =>
  queries.rows<VersionRow>(sql`
    ${selectVersions} WHERE (section, shop_setting.version) IN (
      SELECT section, max(version) FROM shop_setting WHERE section = ANY (${pageNames}::text[]) GROUP BY section)`)

const listVersions = (queries: Queries, name: PageName) =>
  queries.rows<VersionRow>(sql`
    ${selectVersions} WHERE section = ${name} ORDER BY shop_setting.version DESC LIMIT 50`)

const shownVersion = (row: VersionRow): PageVersion => ({
  ...row,
  languages: languages.filter((language) => row.languages.includes(language)),
  changed_at: row.changed_at.toISOString(),
})

/** Reads which version of a page is the newest, and no text for it. */
const findNewest = (queries: Queries, name: PageName) =>
  queries.one<{ version: number; is_published: boolean }>(sql`
    SELECT version, is_published FROM shop_setting WHERE section = ${name} ORDER BY version DESC LIMIT 1`)

/** The languages in which a page is looked for, one after the other. */
const toOrder = (language: Language): Language[] => [language, ...languages]

export function pagesRoutes({ serve, database }: Context): void {
  // Reading Markdown takes long enough that nobody should have it done again and again.
  const read = new Map<string, { version: number; page: ShownPage }>()

  serve.shared(pagesApi.shown, async ({ params: { name }, language }) => {
    const { version, is_published } = await findNewest(database, name)
    if (!is_published) throw new Failure('NOT_FOUND')
    const known = read.get(`${name} ${language}`)
    if (known?.version === version) return { data: known.page }
    const written = toWritten(name, await readNewest(database, name))
    const found = toOrder(language).find((one) => written.texts[one] !== undefined)
    if (!written.is_published || !found) throw new Failure('NOT_FOUND')
    const { blocks } = readMarkdown(written.texts[found] ?? '')
    const page = { name, language: found, changed_at: written.changed_at, blocks }
    read.set(`${name} ${language}`, { version: written.version, page })
    return { data: page }
  })

  serve(pagesApi.list, async () => {
    const pages = (await listPages(database)).map(shownVersion)
    return { data: pageNames.flatMap((name) => pages.filter((page) => page.name === name)) }
  })

  serve(pagesApi.written, async ({ params: { name }, query: { version } }) => {
    const row = version === undefined ? await readNewest(database, name) : await readVersion(database, name, version)
    if (!row) throw new Failure('NOT_FOUND')
    return { data: toWritten(name, row) }
  })

  serve(pagesApi.change, ({ user, params: { name }, body: { version, is_published, texts } }) => {
    for (const language of languages) readText(texts[language] ?? null, `texts.${language}`)
    return database.transaction(async (tx) => {
      const row = await lockSection(tx, name)
      const before = toWritten(name, row)
      requireVersion(before, version)
      const kept = Object.entries({ ...before.texts, ...texts }).filter(([, text]) => text !== null)
      if (is_published && kept.length === 0) throw new Failure('VALIDATION_FAILED', { texts: 'required' })
      const value = { is_published, texts: Object.fromEntries(kept) }
      const after = toWritten(name, await addVersion(tx, { section: name, value, after: row }, user.id))
      // The versions themselves keep the texts.
      const toEntry = (page: WrittenPage) => ({
        version: page.version,
        is_published: page.is_published,
        languages: languages.filter((language) => page.texts[language] !== undefined),
      })
      await writeAudit(tx, {
        actorId: user.id,
        action: 'shop.page',
        subject: `page:${name}`,
        before: toEntry(before),
        after: toEntry(after),
      })
      return { data: after }
    })
  })

  serve(pagesApi.preview, async ({ body: { text } }) => ({ data: { blocks: readText(text, 'text') } }))

  serve(pagesApi.versions, async ({ params: { name } }) => ({
    data: (await listVersions(database, name)).map(shownVersion),
  }))
}
