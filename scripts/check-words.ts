import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childrenIn, type Node, nameIn, nodesIn, parse, readComments, walk } from './syntax.ts'
import * as words from './words.ts'

export interface Complaint {
  rule: string
  file: string
  line: number
  text: string
}

/** A file as the rules see it; `report` takes the node or the line that breaks a rule. */
interface Source {
  file: string
  text: string
  nodes: Node[]
  exported: Exported[]
  lineAt: (node: Node) => number
}

interface Exported {
  name: string
  node: Node
  isFunction: boolean
}

type Found = Omit<Complaint, 'rule'>

const functions = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'MethodProperty',
]

/** Every rule by the name it is reported under. */
const rules: Record<string, (sources: Source[]) => Iterable<Found>> = {
  name: perFile(function* (source) {
    for (const { name, node } of declaredNames(source)) {
      const reason = complainAbout(name)
      if (reason) yield at(source, node, `${name}: say ${reason}`)
    }
  }),

  'function named xOf': perFile(function* (source) {
    for (const { name, node } of namedFunctions(source)) {
      if (/[a-z0-9]Of$/.test(name)) yield at(source, node, `${name}: name what it returns, or the verb`)
    }
  }),

  'predicate that writes': perFile(function* (source) {
    for (const { name, node } of namedFunctions(source)) {
      const isWriting = parameters(node).includes('write') || [...walk(node)].some(isRun)
      if (/^(is|has)[A-Z]/.test(name) && isWriting) yield at(source, node, `${name}: name what it does`)
    }
  }),

  'exported function': perFile(function* (source) {
    for (const { name, node, isFunction } of source.exported) {
      const banned = isFunction && words.bannedExports.find(({ word }) => word === name)
      if (banned) yield at(source, node, `${name}: say ${banned.say}`)
    }
  }),

  comment: perFile(function* ({ file, text, nodes }) {
    for (const comment of readComments(text, nodes)) {
      for (const complaint of complainAboutText(comment.text)) yield { file, line: comment.line, text: complaint }
    }
  }),

  'text that is logged or thrown': perFile(function* (source) {
    if (!source.file.startsWith('server/src/')) return
    for (const node of source.nodes.filter((node) => node.type === 'ThrowStatement' || isLogged(node))) {
      for (const { text, literal } of textsIn(node)) {
        for (const complaint of complainAboutText(text)) yield at(source, literal, complaint)
      }
    }
  }),

  'exported twice': function* (sources) {
    for (const scope of words.scopes) {
      const first = new Map<string, string>()
      for (const source of sources.filter(({ file }) => isIn(file, scope) && !words.twinFiles.test(file))) {
        for (const { name, node } of source.exported) {
          const other = first.get(name)
          if (other && other !== source.file) yield at(source, node, `${name} is exported from ${other} too`)
          first.set(name, source.file)
        }
      }
    }
  },

  'renaming function': perFile(function* (source) {
    for (const { name, node } of namedFunctions(source)) {
      const callee = calledInstead(node)
      if (callee) yield at(source, node, `${name} only calls ${callee} with its own parameters`)
    }
  }),

  'positional Promise.all': perFile(function* (source) {
    if (words.positionalFiles.includes(source.file)) return
    const inTransaction = source.nodes.filter(
      (node) => functions.includes(node.type) && parameters(node).includes('tx'),
    )
    const calls = new Set(inTransaction.flatMap((node) => [...walk(node)].filter(isPositionalAll)))
    for (const call of calls) yield at(source, call, 'statements of a transaction are handed over by name')
  }),

  'short file': perFile(function* ({ file, text }) {
    const lines = text.split('\n').length - 1
    if (!file.startsWith('server/src/') || file.includes('.test.') || words.shortFiles.includes(file)) return
    if (lines < words.shortestFile) yield { file, line: 1, text: `${lines} lines are a part of a neighbour` }
  }),

  'too many exported names': function* (sources) {
    const product = sources.filter(({ file }) => file.startsWith('server/src/') && !file.includes('.test.'))
    const lines = product.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
    const names = product.reduce((sum, { exported }) => sum + exported.length, 0)
    const most = words.exportsPerThousandLines
    if (names > (lines * most) / 1000) {
      const text = `${names} names in ${lines} lines are more than ${most} per 1,000 lines`
      yield { file: 'server/src', line: 1, text }
    }
  },
}

/** Holds the code under `root` to docs/glossary.md. */
export function checkWords(root: string): { files: number; complaints: Complaint[] } {
  const paths = globSync(`{${words.folders.join(',')}}/**/*.{ts,tsx,mts,mjs}`, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|build|\.react-router)$/.test(path),
  })
  const sources = paths.sort().map((file) => readSource(root, file))
  const complaints = Object.entries(rules).flatMap(([rule, check]) =>
    [...check(sources)].map((found) => ({ rule, ...found })),
  )
  return { files: sources.length, complaints }
}

function readSource(root: string, file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const { module, lineAt } = parse(text, file)
  const nodes = [...walk(module)]
  return { file, text, nodes, exported: nodesIn(module.body).flatMap(exportedBy), lineAt }
}

function perFile(check: (source: Source) => Iterable<Found>) {
  return function* (sources: Source[]) {
    for (const source of sources) yield* check(source)
  }
}

const at = (source: Source, node: Node, text: string): Found => ({ file: source.file, line: source.lineAt(node), text })

const isIn = (file: string, paths: string[]) => paths.some((path) => file.startsWith(path))

function complainAbout(name: string): string | undefined {
  if (name.includes('_')) return undefined
  const parts = name.split(/(?=[A-Z])/).map((part) => part.toLowerCase())
  return (
    words.bannedNames.find(({ word }) => word === name)?.say ??
    words.bannedInNames.find(({ word }) => parts.includes(word))?.say
  )
}

function* complainAboutText(text: string): Generator<string> {
  for (const { pattern, say } of words.bannedInComments) {
    const hit = pattern.exec(text)
    if (hit) yield `"${hit[0]}": say ${say}`
  }
}

/** Every name that the file itself makes up: variables, parameters, functions, types, methods and properties. */
function* declaredNames({ nodes }: Source): Generator<{ name: string; node: Node }> {
  for (const node of nodes) {
    for (const name of namesMadeBy(node)) yield { name, node }
  }
}

function namesMadeBy(node: Node): string[] {
  switch (node.type) {
    case 'VariableDeclarator':
    case 'TsTypeAliasDeclaration':
    case 'TsInterfaceDeclaration':
      return boundNames(node.id)
    case 'Parameter':
      return boundNames(node.pat)
    case 'ArrowFunctionExpression':
      return boundNames(node.params)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
      return boundNames(node.identifier)
    case 'PrivateMethod':
    case 'PrivateProperty':
      return nodesIn(node.key).map((key) => String(key.value))
    case 'KeyValueProperty':
    case 'MethodProperty':
    case 'ClassMethod':
    case 'ClassProperty':
    case 'TsPropertySignature':
    case 'TsMethodSignature':
      // A single word may be a field of the wire; the type or the variable that carries it is checked anyway.
      return boundNames(node.key).filter((name) => /[A-Z]/.test(name))
    default:
      return []
  }
}

/** The names in a pattern such as `{ a, b: [c], ...rest }`. */
function boundNames(pattern: unknown): string[] {
  return nodesIn(pattern).flatMap((node): string[] => {
    if (node.type === 'Identifier') return [nameIn(node)]
    if (node.type === 'AssignmentPatternProperty') return boundNames(node.key)
    if (node.type === 'KeyValuePatternProperty') return boundNames(node.value)
    if (node.type === 'AssignmentPattern') return boundNames(node.left)
    if (node.type === 'RestElement') return boundNames(node.argument)
    if (node.type === 'ArrayPattern') return boundNames(node.elements)
    return node.type === 'ObjectPattern' ? boundNames(node.properties) : []
  })
}

/** Functions with their names, be they declared, assigned or methods. */
function* namedFunctions({ nodes }: Source): Generator<{ name: string; node: Node }> {
  for (const node of nodes) {
    if (node.type === 'FunctionDeclaration') yield { name: nameIn(node.identifier), node }
    const [init] = node.type === 'VariableDeclarator' ? nodesIn(node.init) : []
    if (init && functions.includes(init.type)) yield { name: nameIn(node.id), node: init }
    const isMethod = node.type === 'ClassMethod' || node.type === 'MethodProperty' || node.type === 'TsMethodSignature'
    if (isMethod) yield { name: nameIn(node.key), node: { ...node, type: 'Method' } }
  }
}

const exportedBy = (statement: Node): Exported[] =>
  allExportedBy(statement).filter(({ name }) => !words.namesForTheRouter.includes(name))

function allExportedBy(statement: Node): Exported[] {
  if (statement.type === 'ExportNamedDeclaration') {
    return nodesIn(statement.specifiers).map((node) => ({
      name: nameIn(node.exported) || nameIn(node.orig),
      node,
      isFunction: false,
    }))
  }
  const [node] = statement.type === 'ExportDeclaration' ? nodesIn(statement.declaration) : []
  if (!node) return []
  if (node.type === 'VariableDeclaration') return nodesIn(node.declarations).flatMap(exportedVariables)
  const isFunction = node.type === 'FunctionDeclaration'
  const isOverload = isFunction && nodesIn(node.body).length === 0
  return isOverload ? [] : [{ name: nameIn(node.identifier) || nameIn(node.id), node, isFunction }]
}

function exportedVariables(node: Node): Exported[] {
  const isFunction = nodesIn(node.init).some(({ type }) => functions.includes(type))
  return boundNames(node.id).map((name) => ({ name, node, isFunction }))
}

const parameters = (node: Node): string[] =>
  nodesIn(node.params).flatMap((param) => boundNames(param.type === 'Parameter' ? param.pat : param))

/** The function that this one merely renames: its whole body is one call with its own parameters in their order. */
function calledInstead(node: Node): string | undefined {
  const patterns = nodesIn(node.params).flatMap((param) => (param.type === 'Parameter' ? nodesIn(param.pat) : [param]))
  if (node.type === 'Method' || patterns.some(({ type }) => type !== 'Identifier')) return undefined
  const [body] = nodesIn(node.body)
  const statements = body && 'stmts' in body ? nodesIn(body.stmts) : []
  const [only] = statements.length === 1 ? statements : []
  let [call] = only ? nodesIn(only.argument ?? only.expression) : nodesIn(body)
  if (call?.type === 'AwaitExpression') [call] = nodesIn(call.argument)
  if (call?.type !== 'CallExpression') return undefined
  const [callee] = nodesIn(call.callee)
  const args = Array.isArray(call.arguments) ? call.arguments : []
  const passed = args.flatMap((arg) => (arg.spread ? [] : nodesIn(arg.expression))).map(nameIn)
  const own = patterns.map(nameIn)
  const isRenaming = args.length === own.length && own.every((name, index) => name !== '' && passed[index] === name)
  return callee?.type === 'Identifier' && isRenaming && !own.includes(nameIn(callee)) ? nameIn(callee) : undefined
}

/** `tx.run(...)`, by which a statement is sent for its effect. */
function isRun(node: Node): boolean {
  const [callee] = node.type === 'CallExpression' ? nodesIn(node.callee) : []
  return callee?.type === 'MemberExpression' && nameIn(callee.object) === 'tx' && nameIn(callee.property) === 'run'
}

/** `Promise.all([...])` of calls that are given `tx`. */
function isPositionalAll(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const [callee] = nodesIn(node.callee)
  const isAll =
    callee?.type === 'MemberExpression' && nameIn(callee.object) === 'Promise' && nameIn(callee.property) === 'all'
  const [list] = isAll ? [...childrenIn(node.arguments)] : []
  return list?.type === 'ArrayExpression' && [...walk(list)].some((part) => nameIn(part) === 'tx')
}

/** `log.warn(...)` or `console.log(...)`, whatever the logger is a field of. */
function isLogged(node: Node): boolean {
  const [callee] = node.type === 'CallExpression' ? nodesIn(node.callee) : []
  if (callee?.type !== 'MemberExpression' || !words.logLevels.includes(nameIn(callee.property))) return false
  const [logger] = nodesIn(callee.object)
  return words.loggers.includes(nameIn(logger) || nameIn(logger?.property))
}

/** The strings and templates in a statement; what is put into a template is left out. */
function textsIn(statement: Node): { text: string; literal: Node }[] {
  return [...walk(statement)].flatMap((literal) => {
    if (literal.type === 'StringLiteral') return [{ text: String(literal.value), literal }]
    if (literal.type !== 'TemplateLiteral') return []
    return [
      {
        text: nodesIn(literal.quasis)
          .map(({ raw }) => raw)
          .join('…'),
        literal,
      },
    ]
  })
}

if (import.meta.main) {
  const { files, complaints } = checkWords(join(import.meta.dirname, '..'))
  for (const { rule, file, line, text } of complaints) console.error(`${file}:${line} ${rule}: ${text}`)
  console.log(`${files} files, ${complaints.length} words that are not the house's`)
  process.exitCode = complaints.length === 0 ? 0 : 1
}
