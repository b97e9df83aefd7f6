import { relative, resolve } from 'node:path'
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast'
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is'
import { API, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync'

/** A call of `rows`, `one` or `maybe`, and the row that its caller counts on. */
export interface DeclaredCall {
  /** Where its name stands, as `server/src/file.ts:line:column`. */
  site: string
  row: DeclaredRow
}

/** A caller that names no row reads none (`unknown`), or reads what it likes (`any`, or a type parameter of its own). */
export type DeclaredRow =
  | { kind: 'none' | 'unchecked' }
  | { kind: 'row'; columns: Map<string, DeclaredType> }
  | DeclaredRecord

/** A row whose columns are named while the store runs. */
interface DeclaredRecord {
  kind: 'record'
  value: DeclaredType
}

export type DeclaredKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'Date'
  | 'Buffer'
  | 'array'
  | 'object'
  | 'null'
  | 'undefined'
  | 'anything'
  | 'other'

export interface DeclaredType {
  text: string
  kinds: Set<DeclaredKind>
  /** What its arrays hold. */
  elements: DeclaredType[]
  /** A part that JSON can't carry, such as a Date, with the way to it. */
  findBeyondJson(): string | undefined
}

interface Sources {
  root: string
  tsconfig: string
  /** The files that declare `rows`, `one` and `maybe`; their own calls hand on what their callers declare. */
  declaredIn: readonly string[]
  isChecked(file: string): boolean
}

const asking = new Set(['rows', 'one', 'maybe'])

/** Hands every call that declares a row to `work`, while the TypeScript compiler that read them is there to ask more. */
export async function withDeclaredCalls<T>(sources: Sources, work: (calls: DeclaredCall[]) => Promise<T>): Promise<T> {
  const api = new API({ cwd: sources.root })
  try {
    const project = api.updateSnapshot({ openProjects: [sources.tsconfig] }).getProject(sources.tsconfig)
    if (!project) throw new Error(`TypeScript does not open ${sources.tsconfig}.`)
    const files = project.rootFiles.filter((file) => !sources.declaredIn.includes(file) && sources.isChecked(file))
    return await work(files.flatMap((file) => readCalls(project, file, sources)))
  } finally {
    api.close()
  }
}

function readCalls(project: Project, path: string, { root, declaredIn }: Sources): DeclaredCall[] {
  const file = project.program.getSourceFile(path)
  if (!file) throw new Error(`TypeScript does not know ${path}.`)
  if (!/\.(rows|one|maybe)\b/.test(file.text)) return []
  return callsBelow(file).flatMap((call) => {
    const signature = project.checker.getResolvedSignature(call.node)
    if (!signature?.declaration || !declaredIn.includes(resolve(root, signature.declaration.path))) return []
    const answer = project.checker.getReturnTypeOfSignature(signature)
    const [resolved] = answer?.isTypeReference() ? project.checker.getTypeArguments(answer) : []
    const [row] =
      call.method === 'rows' && resolved?.isTypeReference() ? project.checker.getTypeArguments(resolved) : [resolved]
    const { line, character } = file.getLineAndCharacterOfPosition(call.position)
    const site = `${relative(root, path)}:${line + 1}:${character + 1}`
    return [{ site, row: row ? toRow(project.checker, row) : { kind: 'unchecked' } }]
  })
}

interface Call {
  node: CallExpression
  method: string
  position: number
}

function callsBelow(file: SourceFile): Call[] {
  const calls: Call[] = []
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const { name } = node.expression
      if (asking.has(name.text)) calls.push({ node, method: name.text, position: name.getStart(file) })
    }
    node.forEachChild(visit)
  }
  visit(file)
  return calls
}

function toRow(checker: Checker, type: Type): DeclaredRow {
  // What `maybe` answers is the row or undefined.
  const parts = unionParts(type).filter(({ flags }) => !(flags & TypeFlags.Undefined))
  if (parts.length === 1 && parts.some(({ flags }) => flags & TypeFlags.Unknown)) return { kind: 'none' }
  if (parts.length === 0 || parts.some(({ flags }) => !(flags & (TypeFlags.Object | TypeFlags.Intersection)))) {
    return { kind: 'unchecked' }
  }
  const [index] = parts.flatMap((part) => checker.getIndexInfosOfType(part))
  if (index) return { kind: 'record', value: toDeclaredType(checker, index.valueType) }
  const columns = new Map<string, DeclaredType>()
  for (const { name } of parts.flatMap((part) => checker.getPropertiesOfType(part))) {
    const types = parts.map((part) => {
      const property = checker.getPropertyOfType(part, name)
      return (property && checker.getTypeOfSymbol(property)) ?? checker.getUndefinedType()
    })
    columns.set(name, toDeclaredType(checker, ...types))
  }
  return { kind: 'row', columns }
}

const unionParts = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes() : [type])

function toDeclaredType(checker: Checker, ...types: Type[]): DeclaredType {
  const parts = types.flatMap(unionParts)
  const elements = parts.filter((part) => checker.isArrayLikeType(part) && part.isTypeReference())
  return {
    text: [...new Set(types.map((type) => checker.typeToString(type)))].join(' | '),
    kinds: new Set(parts.map((part) => toKind(checker, part))),
    elements: elements.flatMap((part) =>
      part.isTypeReference() ? checker.getTypeArguments(part).map((element) => toDeclaredType(checker, element)) : [],
    ),
    findBeyondJson: () => types.map((type) => findBeyondJson(checker, type)).find((found) => found !== undefined),
  }
}

const kinds: [flags: TypeFlags, kind: DeclaredKind][] = [
  [TypeFlags.AnyOrUnknown, 'anything'],
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined, 'undefined'],
]

function toKind(checker: Checker, type: Type): DeclaredKind {
  const [, kind] = kinds.find(([flags]) => type.flags & flags) ?? []
  if (kind) return kind
  if (type.isIntersectionType()) {
    // A string or number with a brand.
    const [primitive] = type.getTypes().filter(({ flags }) => !(flags & TypeFlags.Object))
    return primitive ? toKind(checker, primitive) : 'object'
  }
  if (!(type.flags & (TypeFlags.Object | TypeFlags.NonPrimitive))) return 'other'
  if (checker.isArrayLikeType(type)) return 'array'
  const name = type.getSymbol()?.name
  if (name === 'Date') return 'Date'
  return name === 'Buffer' || name === 'Uint8Array' ? 'Buffer' : 'object'
}

function findBeyondJson(checker: Checker, type: Type, way: string[] = []): string | undefined {
  // Deeper there is only what describes itself.
  if (way.length > 5) return undefined
  for (const part of unionParts(type)) {
    const kind = toKind(checker, part)
    if (kind === 'Date' || kind === 'Buffer' || kind === 'other')
      return `${way.join('.') || 'it'} is ${checker.typeToString(part)}`
    const parts =
      kind === 'array' && part.isTypeReference()
        ? checker.getTypeArguments(part).map((element) => ({ name: '[]', element }))
        : kind === 'object'
          ? checker
              .getPropertiesOfType(part)
              .map((property) => ({ name: property.name, element: checker.getTypeOfSymbol(property) }))
          : []
    for (const { name, element } of parts) {
      const found = element && findBeyondJson(checker, element, [...way, name])
      if (found !== undefined) return found
    }
  }
  return undefined
}
