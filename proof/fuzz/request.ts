import type { WireRequest } from '../wire.ts'
import type { FuzzCaller } from './world.ts'

/** One request of a run. */
export interface FuzzRequest extends WireRequest {
  /** The operation or page it grew from: 'PUT /cart/update-quantity/:id'. */
  call: string
  caller: FuzzCaller
  body: Buffer | undefined
  /** What was made wrong about it; nothing of a request that is right. */
  mutations: readonly string[]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a line for a shell, for a store on port 3000. */
export function toCurl({ method, path, headers, body }: FuzzRequest): string {
  const named = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
  )
  const parts = [
    'curl -i --globoff --path-as-is',
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...named,
    ...(body ? ['--data-binary @-'] : []),
    quoted(`http://localhost:3000${path}`),
  ]
  const line = parts.join(' ')
  return body ? `echo ${body.toString('base64')} | base64 -d | ${line}` : line
}
