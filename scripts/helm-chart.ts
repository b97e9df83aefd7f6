import { parseYaml } from '@redocly/openapi-core'

/** The text of each file by its path. */
export type Files = Record<string, string>
export type Fields = Record<string, unknown>

/** Finds a value by the names that lead to it, as in `spec.template`; undefined where there is none. */
export const pick = (from: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], from)

/** Fills a template in as Helm does, as far as this chart makes use of it: if, range, toYaml and quote. */
function render(template: string, values: unknown): string {
  const known = { Values: values, Release: { Name: 'shop' } }
  const find = (path = '') => pick(known, path.slice(1))
  const innermost = /\s*\{\{- (if|range) ([^}]*) \}\}((?:(?!\{\{- (?:if|range|end)).)*?)\s*\{\{- end \}\}/s
  let text = template
  for (let block = innermost.exec(text); block; block = innermost.exec(text)) {
    const [whole, kind, argument = '', body = ''] = block
    const entries = kind === 'range' ? Object.entries(find(argument.split(':= ')[1]) as Fields) : []
    const filled =
      kind === 'if'
        ? find(argument) && body
        : entries.map(([name, value]) =>
            body.replaceAll('{{ $name }}', name).replaceAll('{{ $value | quote }}', JSON.stringify(String(value))),
          )
    text = text.replace(whole, () => [filled || ''].flat().join(''))
  }
  text = text.replaceAll(/\{\{- toYaml (\S+) \| nindent (\d+) \}\}/g, (_whole, path, indent) => {
    return `\n${' '.repeat(Number(indent))}${JSON.stringify(find(path))}`
  })
  text = text.replaceAll(/\{\{ (\S+) \| quote \}\}/g, (_whole, path) => JSON.stringify(String(find(path))))
  return text.replaceAll(/\{\{ (\.\S+) \}\}/g, (whole, path) => String(find(path) ?? whole))
}

/** Reads the manifests that the chart in this folder makes of these values, those parts left out that are switched off. */
export function readManifests(files: Files, chart: string, values: unknown): Fields[] {
  const templates = Object.keys(files).filter((path) => path.startsWith(`${chart}/templates/`))
  return templates.flatMap((path) => {
    const text = render(files[path] as string, values)
    const left = /\{\{.*/.exec(text)?.[0]
    if (left) throw new Error(`${path}: nothing fills in ${left}`)
    const made = parseYaml(text) as Fields | undefined
    return made ? [made] : []
  })
}
