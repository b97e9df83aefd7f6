import type { AnswerTo, Endpoint } from '@olmos/contract/endpoint'
import type { Chance } from '../random.ts'
import { type CallOptions, openWire, toRequest, type WireAnswer } from '../wire.ts'

/** What a client knows after a call. */
export type Reply<Row extends Endpoint> =
  | { kind: 'done'; value: AnswerTo<Row> }
  | { kind: 'refused'; status: number; code: string }
  /** No answer, or one that leaves open what happened. */
  | { kind: 'lost'; why: 'no answer' | 'unavailable' | 'bug' }

export interface Clients {
  /** Calls one of the servers, whichever. */
  call<Row extends Endpoint>(row: Row, options?: CallOptions<Row>): Promise<Reply<Row>>
  /** Sends bytes to one of them, as a stranger does; answers the status, or nothing when there was no answer. */
  post(path: string, body: string | Buffer, headers: Record<string, string>): Promise<number | undefined>
  /** Sends bytes to one of them, as a provider does that wants to read the answer. */
  exchange(path: string, body: string | Buffer, headers: Record<string, string>): Promise<WireAnswer | undefined>
  /** How many answers were a 500: a bug, whatever was killed. */
  readonly bugs: Map<string, number>
  close(): void
}

export function connectClients(ports: readonly number[], chance: Chance): Clients {
  const wire = openWire(() => chance.pick(ports))
  const bugs = new Map<string, number>()
  const noteBug = (call: string) => bugs.set(call, (bugs.get(call) ?? 0) + 1)
  const exchange: Clients['exchange'] = async (path, body, headers) => {
    const answer = await wire.send({ method: 'POST', path: `/api${path}`, headers, body })
    if (answer && answer.status >= 500 && answer.status !== 503) noteBug(`POST ${path}`)
    return answer
  }
  return {
    bugs,
    close: wire.close,
    exchange,
    post: async (path, body, headers) => (await exchange(path, body, headers))?.status,
    async call(row, options = {}) {
      const answer = await wire.send(toRequest(row, options))
      if (!answer) return { kind: 'lost', why: 'no answer' }
      const { status, text } = answer
      if (status === 502 || status === 503) return { kind: 'lost', why: 'unavailable' }
      if (status < 300) return { kind: 'done', value: text === '' ? undefined : JSON.parse(text) }
      if (status < 500) return { kind: 'refused', status, code: JSON.parse(text).error.code }
      noteBug(`${row.method} ${row.path}`)
      return { kind: 'lost', why: 'bug' }
    },
  }
}
