import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { type Mended, mendBuyers, oncePerItem } from './mend-buyers.ts'
import { readAllBuyers, refundFor, replaceFor } from './recall.queries.ts'

export type MendingKind = 'replace' | 'refund'

interface State {
  kind: MendingKind | undefined
  isRunning: boolean
  mended: Mended | undefined
  error: unknown
}

const nothing: State = { kind: undefined, isRunning: false, mended: undefined, error: undefined }

/** Replaces or refunds for everybody who has a code of the batch. */
export function useMending(batchId: number, reason: string) {
  const client = useQueryClient()
  const [state, setState] = useState(nothing)
  const running = useRef<AbortController>(undefined)
  // Who leaves the page stops it after the buyer it is at.
  useEffect(() => () => running.current?.abort(), [])

  const run = async (kind: MendingKind): Promise<void> => {
    const work = new AbortController()
    running.current = work
    setState({ ...nothing, kind, isRunning: true })
    try {
      const all = await asAdmin(client, readAllBuyers(batchId))
      const mended = await mendBuyers({
        buyers: kind === 'refund' ? oncePerItem(all) : all,
        mend: (buyer) =>
          asAdmin<unknown>(client, kind === 'refund' ? refundFor(buyer, reason) : replaceFor(buyer, reason)),
        onProgress: (reached) => setState((before) => ({ ...before, mended: reached })),
        signal: work.signal,
      })
      setState((before) => ({ ...before, isRunning: false, mended }))
    } catch (error) {
      setState((before) => ({ ...before, isRunning: false, error: work.signal.aborted ? undefined : error }))
    }
    for (const touched of ['codes', 'orders', 'products', 'users'] as const) {
      client.invalidateQueries({ queryKey: queryKeys.admin.noun(touched) })
    }
  }

  return { ...state, run, stop: () => running.current?.abort() }
}
