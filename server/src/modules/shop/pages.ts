import { Failure } from '@olmos/contract/failure'
import { type Language, languages } from '@olmos/contract/fields'
import { firstShop } from '@olmos/contract/first-shop'
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
import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { addVersion, lockSection, readNewest, readVersion, type SettingRow } from './versions.ts'

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

/** How many stars and underscores a paragraph may have: all of them are compared with each other. */
const marksMax = 200

/** A line that begins lists or quotes within each other, deeper than they may be: reading it would take too long. */
const deepLine = new RegExp(`^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]|$))){${depthMax + 1},}`)

/** An https address, a mailbox, a phone, or a page of the shop: nothing that a browser would run. */
const isAllowed = (url: string): boolean =>
  /^(?:https:\/\/|mailto:|tel:)[^\s"'<>\\]+$/i.test(url) || /^\/(?!\/)[^\s"'<>\\]*$/.test(url)

const countLines = (text: string): number => text.split('\n').length - 1

/** Makes a reader for which HTML is the characters it is written with, and lines moved to the right are no code. */
function createLexer(): Lexer {
  const tokenizer = new Tokenizer()
  Object.assign(tokenizer, { html: () => undefined, tag: () => undefined, code: () => undefined })
  return new Lexer({ gfm: false, tokenizer })
}

/** Reads a text in Markdown (https://spec.commonmark.org), and finds what may not be in it. */
export function readMarkdown(markdown: string): { blocks: PageBlock[]; faults: Fault[] } {
  const text = markdown.replace(/\r\n?/g, '\n')
  const deep = text.split('\n').findIndex((line) => deepLine.test(line))
  if (deep >= 0) return { blocks: [], faults: [{ line: deep + 1, key: 'page_depth' }] }

  const lexer = createLexer()
  const faults: Fault[] = []
  const blocks: PageBlock[] = []
  let frames = 0

  const readWords = (source: string, line: number): Words[] => {
    if ((source.match(/\*+|_+/g) ?? []).length <= marksMax)
      return toWords(lexer.inlineTokens(source), { line, marks: [], url: null, depth: 0 }, faults)
    faults.push({ line, key: 'page_depth' })
    return []
  }

  const readBlocks = (tokens: readonly Token[], from: number, within: Frame[]): void => {
    let line = from
    const newFrame = (kind: Frame['kind'], start = 1): Frame[] => [...within, { kind, id: ++frames, start }]
    for (const token of tokens) {
      const add = (kind: PageBlock['kind'], words: Words[], level = 0) =>
        blocks.push({ kind, line, level, frames: within, words })
      if (within.length > depthMax) faults.push({ line, key: 'page_depth' })
      else if (isToken(token, 'heading')) add('heading', readWords(token.text, line), token.depth)
      else if (isToken(token, 'paragraph') || isToken(token, 'text')) add('paragraph', readWords(token.text, line))
      else if (isToken(token, 'code')) add('code', [{ text: token.text, marks: [], url: null }])
      else if (isToken(token, 'hr')) add('rule', [])
      else if (isToken(token, 'def') && !isAllowed(token.href)) faults.push({ line, key: 'page_link' })
      else if (isToken(token, 'blockquote')) readBlocks(token.tokens, line, newFrame('quote'))
      else if (isToken(token, 'list_item')) readBlocks(token.tokens, line, newFrame('item'))
      else if (isToken(token, 'list'))
        readBlocks(token.items, line, token.ordered ? newFrame('numbers', token.start || 1) : newFrame('bullets'))
      line += countLines(token.raw)
    }
  }

  readBlocks(lexer.blockTokens(text), 1, [])
  return { blocks: withLevels(blocks), faults }
}

interface Named {
  heading: Tokens.Heading
  paragraph: Tokens.Paragraph
  text: Tokens.Text
  code: Tokens.Code
  hr: Tokens.Hr
  def: Tokens.Def
  blockquote: Tokens.Blockquote
  list: Tokens.List
  list_item: Tokens.ListItem
  br: Tokens.Br
  codespan: Tokens.Codespan
  escape: Tokens.Escape
  strong: Tokens.Strong
  em: Tokens.Em
  link: Tokens.Link
  image: Tokens.Image
}

/** The library's own union has a member with any type, which no comparison rules out. */
const isToken = <Kind extends keyof Named>(token: Token, kind: Kind): token is Named[Kind] => token.type === kind

interface Place extends Pick<Words, 'marks' | 'url'> {
  line: number
  depth: number
}

/** Reads what stands in a paragraph or a heading. */
function toWords(tokens: readonly Token[], { marks, url, depth, ...place }: Place, faults: Fault[]): Words[] {
  let { line } = place
  return tokens.flatMap((token): Words[] => {
    const here = line
    line += countLines(token.raw)
    const inside = (nodes: readonly Token[], change: Partial<Words>) =>
      toWords(nodes, { line: here, marks, url, ...change, depth: depth + 1 }, faults)
    if (depth > depthMax) faults.push({ line: here, key: 'page_depth' })
    else if (isToken(token, 'text')) return [{ text: token.raw, marks, url }]
    else if (isToken(token, 'escape')) return [{ text: token.text, marks, url }]
    else if (isToken(token, 'br')) return [{ text: '\n', marks, url }]
    else if (isToken(token, 'codespan')) return [{ text: token.text, marks: [...marks, 'code'], url }]
    else if (isToken(token, 'strong'))
      return inside(token.tokens, { marks: [...new Set([...marks, 'strong' as const])] })
    else if (isToken(token, 'em')) return inside(token.tokens, { marks: [...new Set([...marks, 'emphasis' as const])] })
    else if (isToken(token, 'link')) {
      if (isAllowed(token.href)) return inside(token.tokens, { url: token.href })
      faults.push({ line: here, key: 'page_link' })
    } else if (isToken(token, 'image')) faults.push({ line: here, key: 'page_image' })
    return []
  })
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

/** Reads the number of a page's newest version, without its text, and the shop's own language, which the text may be in. */
const findNewest = (queries: Queries, name: PageName) =>
  queries.one<{ version: number; is_published: boolean; default_language: Language | null }>(sql`
    SELECT version, is_published, (
      SELECT value ->> 'default_language' FROM shop_setting WHERE section = 'shop' ORDER BY version DESC LIMIT 1
    ) AS default_language
    FROM shop_setting WHERE section = ${name} ORDER BY version DESC LIMIT 1`)

export function pagesRoutes({ serve, database }: Context): void {
  // Reading Markdown takes long enough that nobody should have it done again and again.
  const read = new Map<string, { version: number; page: ShownPage }>()

  serve.shared(pagesApi.shown, async ({ params: { name }, language }) => {
    const { version, is_published, default_language } = await findNewest(database, name)
    if (!is_published) throw new Failure('NOT_FOUND')
    const order = [language, default_language ?? firstShop.default_language, ...languages]
    const key = [name, ...order].join(' ')
    const known = read.get(key)
    if (known?.version === version) return { data: known.page }
    const written = toWritten(name, await readNewest(database, name))
    const found = order.find((one) => written.texts[one] !== undefined)
    if (!written.is_published || !found) throw new Failure('NOT_FOUND')
    const { blocks } = readMarkdown(written.texts[found] ?? '')
    const page = { name, language: found, changed_at: written.changed_at, blocks }
    read.set(key, { version: written.version, page })
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
