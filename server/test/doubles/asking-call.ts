import type { IncomingHttpHeaders } from 'node:http'
import type { HttpReply } from '../../src/platform/vendor/adapters.ts'

/** A call of a provider that asks the store. */
export interface AskingCall {
  body: Buffer
  headers: IncomingHttpHeaders
  address: string
  /** The last part of the address, if it has one. */
  method: string | undefined
}

/** How a double reaches the store, or an adapter alone. */
export type Send = (call: AskingCall) => Promise<HttpReply>
