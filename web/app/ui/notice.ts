import { LIMITS } from '@olmos/contract/limits'

export interface Notice {
  tone: 'good' | 'wait' | 'bad'
  message: string
  lastsMs: number
  /** The one way on, when there is one. */
  action?: { label: string; onPress(): void } | undefined
}

/** Told to the page when there is something to say; the board of notices listens. */
export const noticeEvent = 'notice'

const tell = (notice: Notice) => window.dispatchEvent(new CustomEvent(noticeEvent, { detail: notice }))

export const noticeSuccess = (message: string, lastsMs: number = LIMITS.noticeMs): void =>
  void tell({ tone: 'good', message, lastsMs })

export const noticeError = (message: string): void => void tell({ tone: 'bad', message, lastsMs: LIMITS.noticeMs })

export const noticeWarning = (message: string, action?: Notice['action']): void =>
  void tell({ tone: 'wait', message, lastsMs: LIMITS.noticeMs, action })
