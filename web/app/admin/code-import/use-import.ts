import type { SentBought } from '@olmos/contract/costs'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { importPart } from '../codes/codes.queries.ts'
import { toQuestion } from '../form/asking.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { type Checked, checkLines } from './check-lines.ts'
import { nothingSent, type SendPart, type Sent, sendLines } from './send-lines.ts'

export interface Place {
  productId: number
  /** 0 is none. */
  regionId: number
  /** What the codes cost, who sold them and until when they can be sold, where that is known. */
  bought: SentBought | undefined
}

/** How far an import has come: the lines are read, checked, confirmed by the operator and imported. */
export interface Import {
  stage: 'idle' | 'reading' | 'checking' | 'checked' | 'importing' | 'stopped' | 'done'
  checked: Checked | undefined
  /** What the store would do. */
  rehearsed: Sent
  /** What it has done. */
  sent: Sent
  error: unknown
}

const nothing: Import = {
  stage: 'idle',
  checked: undefined,
  rehearsed: nothingSent,
  sent: nothingSent,
  error: undefined,
}

/** Imports a text: first all of it is rehearsed, and only then anything is put on the shelf. */
export function useImport() {
  const client = useQueryClient()
  const [state, setState] = useState(nothing)
  const running = useRef<AbortController>(undefined)
  const change = (part: Partial<Import>) => setState((before) => ({ ...before, ...part }))
  // Leaving the page stops the import after the part that is being sent.
  useEffect(() => () => running.current?.abort(), [])

  const begin = (): AbortSignal => {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  const sender =
    ({ bought, ...place }: Place, dryRun: 'true' | 'false', confirmPrices = false): SendPart =>
    (lines, batchId) => {
      // It is said with the first part: the others continue it.
      const batch = batchId ? { batchId } : bought && { bought }
      const more = { ...batch, ...(confirmPrices && { confirmPrices }) }
      return asAdmin(client, importPart({ query: { dryRun }, body: { ...place, lines, ...more } }))
    }

  const rehearse = async (text: Blob, place: Place): Promise<void> => {
    const signal = begin()
    setState({ ...nothing, stage: 'reading' })
    try {
      const checked = await checkLines(text, signal)
      change({ stage: 'checking', checked })
      const onProgress = (rehearsed: Sent) => change({ rehearsed })
      const send = sender(place, 'true')
      const rehearsed = await sendLines({ text, checked, from: nothingSent, send, onProgress, signal })
      change({ stage: 'checked', rehearsed })
    } catch (error) {
      if (!signal.aborted) setState({ ...nothing, error })
    }
  }

  /** `confirmPrices`: the operator has seen which prices change and agreed. */
  const run = async (text: Blob, place: Place, confirmPrices: boolean): Promise<void> => {
    const { checked, sent: from, rehearsed } = state
    if (!checked) return
    const signal = begin()
    change({ stage: 'importing', error: undefined })
    try {
      const onProgress = (sent: Sent) => change({ sent })
      const sent = await sendLines({
        text,
        checked,
        from,
        send: sender(place, 'false', confirmPrices),
        onProgress,
        signal,
      })
      change({ stage: 'done', sent })
    } catch (error) {
      const question = toQuestion(error)
      change({
        stage: 'stopped',
        error: signal.aborted ? undefined : error,
        // Somebody has set other prices since the rehearsal: shown again, and asked for again.
        ...(question?.about === 'prices' && { rehearsed: { ...rehearsed, priceChanges: question.prices } }),
      })
    }
    for (const noun of ['codes', 'offers', 'products'] as const) {
      client.invalidateQueries({ queryKey: queryKeys.admin.noun(noun) })
    }
  }

  return {
    ...state,
    rehearse,
    run,
    /** Stops after the part that is being sent. */
    stop: () => running.current?.abort(),
    reset: () => {
      running.current?.abort()
      setState(nothing)
    },
  }
}
