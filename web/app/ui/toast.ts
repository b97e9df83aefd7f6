import { WEB_LIMITS } from '../limits.ts'

export interface Toast {
  tone: 'good' | 'wait' | 'bad'
  message: string
  lastsMs: number
  /** A button in the toast. */
  action?: { label: string; onPress(): void } | undefined
}

/** Fired on the window for each toast; the component that shows them listens. */
export const toastEvent = 'toast'

const post = (toast: Toast) => window.dispatchEvent(new CustomEvent(toastEvent, { detail: toast }))

export const toastSuccess = (message: string, lastsMs: number = WEB_LIMITS.toastMs): void =>
  void post({ tone: 'good', message, lastsMs })

export const toastError = (message: string): void => void post({ tone: 'bad', message, lastsMs: WEB_LIMITS.toastMs })

export const toastWarning = (message: string, action?: Toast['action']): void =>
  void post({ tone: 'wait', message, lastsMs: WEB_LIMITS.toastMs, action })
