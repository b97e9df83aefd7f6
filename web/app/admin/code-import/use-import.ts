import type { SentBought } from '@olmos/contract/costs'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { importPart } from '../codes/codes.queries.ts'
import { toQuestion } from '../form/asking.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { type Checked, checkRows, type Source } from './check-rows.ts'
import { nothingSent, type SendPart, type Sent, sendRows } from './send-rows.ts'

export interface Place {
  productId: number
  /** 0 is none. */
  regionId: number
  /** What the codes cost, who sold them and until when they can be sold, where that is known of all. */
  bought: SentBought | undefined
}

/** How far an import has come: the rows are read, checked, confirmed by the operator and imported. */
export interface Import {
  stage: 'idle' | 'reading' | 'checking' | 'checked' | 'importing' | 'stopped' | 'done'
  /** What is imported. */
  source: Source | undefined
  checked: Checked | undefined
  /** What the store would do. */
  rehearsed: Sent
  /** What it has done. */
  sent: Sent
  error: unknown
}

const nothing: Import = {
  stage: 'idle',
  source: undefined,
  checked: undefined,
  rehearsed: nothingSent,
  sent: nothingSent,
  error: undefined,
}

/** Imports a file: first all of it is rehearsed, and only then anything is put on the shelf. */
export function useImport() {
  const client = useQueryClient()
  const [state, setState] = useState(nothing)
  const running = useRef<AbortController>(undefined)
  const change = (part: Partial<Import>) => setState((before) => ({ ...before, ...part }))
  // Leaving the page stops the import after the parts that are being sent.
  useEffect(() => () => running.current?.abort(), [])

  const begin = (): AbortSignal => {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  const sender =
    ({ bought: ofAll, ...place }: Place, dryRun: 'true' | 'false', confirmPrices = false): SendPart =>
    ({ rows, bought: ofThese, batchId }) => {
      // What a file says of a code goes before what is said of all. It is said with the first part: others continue it.
      const bought = { ...ofAll, ...ofThese }
      const batch = batchId ? { batchId } : Object.keys(bought).length > 0 && { bought }
      const more = { ...batch, ...(confirmPrices && { confirmPrices }) }
      return asAdmin(client, importPart({ query: { dryRun }, body: { ...place, rows, ...more } }))
    }

  const rehearse = async (source: Source, place: Place): Promise<void> => {
    const signal = begin()
    setState({ ...nothing, source, stage: 'reading' })
    try {
      const checked = await checkRows(source, signal)
      change({ stage: 'checking', checked })
      const onProgress = (rehearsed: Sent) => void (signal.aborted || change({ rehearsed }))
      const send = sender(place, 'true')
      const rehearsed = await sendRows({
        source,
        checked,
        from: nothingSent,
        isRehearsal: true,
        send,
        onProgress,
        signal,
      })
      change({ stage: 'checked', rehearsed })
    } catch (error) {
      if (!signal.aborted) setState({ ...nothing, error })
    }
  }

  /** `confirmPrices`: the operator has seen which prices change and agreed. */
  const run = async (place: Place, confirmPrices: boolean): Promise<void> => {
    const { source, checked, sent: from, rehearsed } = state
    if (!source || !checked) return
    const signal = begin()
    change({ stage: 'importing', error: undefined })
    try {
      const onProgress = (sent: Sent) => change({ sent })
      const send = sender(place, 'false', confirmPrices)
      const sent = await sendRows({ source, checked, from, isRehearsal: false, send, onProgress, signal })
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
    /** Stops after the parts that are being sent. */
    stop: () => running.current?.abort(),
    reset: () => {
      running.current?.abort()
      setState(nothing)
    },
  }
}
