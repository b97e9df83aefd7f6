import { parseSync } from '@swc/core'

/** A node of the syntax tree; its other fields are read by name. */
export interface Node {
  type: string
  /** Missing from properties that are written `key: value`. */
  span?: { start: number; end: number }
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The nodes of a field that is a node, a list of nodes, or missing. */
export const nodesIn = (field: unknown): Node[] => (Array.isArray(field) ? field : [field]).filter(isNode)

export const nameIn = (node: unknown): string => (isNode(node) && node.type === 'Identifier' ? String(node.value) : '')

/** Finds the nodes below a field; wrappers such as those of arguments are looked through. */
export function* childrenIn(field: unknown): Generator<Node> {
  if (typeof field !== 'object' || field === null) return
  if (isNode(field)) yield field
  else for (const part of Object.values(field)) yield* childrenIn(part)
}

export function* walk(node: Node): Generator<Node> {
  yield node
  for (const field of Object.values(node)) for (const child of childrenIn(field)) yield* walk(child)
}

/** Reads a file's syntax tree. The parser counts positions in bytes of UTF-8, from one. */
export function parse(text: string, file: string): { module: Node; lineAt: (node: Node) => number } {
  const parsed: unknown = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'esnext' })
  if (!isNode(parsed)) throw new Error(`${file} cannot be parsed`)
  const bytes = Buffer.from(text)
  const lineAt = (node: Node) => bytes.subarray(0, startByte(node)).toString('latin1').split('\n').length
  return { module: parsed, lineAt }
}

function startByte(node: Node): number {
  const first = [...walk(node)].find(({ span }) => span)
  return (first?.span?.start ?? 1) - 1
}

const quoted = ['StringLiteral', 'TemplateElement', 'RegExpLiteral', 'JSXText']

/** Reads a file's comments, in code and in the SQL of its templates; lines of `//` that follow each other are one. */
export function readComments(text: string, nodes: Node[]): { line: number; text: string }[] {
  const code = Buffer.from(text)
  const sql = Buffer.from(text.replace(/[^\n]/gu, (char) => ' '.repeat(Buffer.byteLength(char))))
  for (const { type, span } of nodes) {
    if (!span || !quoted.includes(type)) continue
    const [start, end] = [span.start - 1, span.end - 1]
    if (type === 'TemplateElement') code.copy(sql, start, start, end)
    for (let byte = start; byte < end; byte++) if (code[byte] !== 10) code[byte] = 32
  }
  return [
    ...commentsIn(code.toString(), /\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g),
    ...commentsIn(sql.toString(), /^[ \t]*--[^\n]*(?:\n[ \t]*--[^\n]*)*/gm),
  ]
}

const commentsIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: comment, index }) => ({
    line: text.slice(0, index).split('\n').length,
    text: comment.replace(/^[ \t]*(\/\*\*?|\*\/|\*|\/\/|--)?[ \t]*|\*\/$/gm, '').trim(),
  }))
