import { WEB_LIMITS } from '../limits.ts'

export interface Toast {
  tone: 'good' | 'wait' | 'bad'
  message: string
  lastsMs: number
  /** The one way on, when there is one. */
  action?: { label: string; onPress(): void } | undefined
}

/** Told to the page when there is something to say; the board of toasts listens. */
export const toastEvent = 'notice'

const tell = (toast: Toast) => window.dispatchEvent(new CustomEvent(toastEvent, { detail: toast }))

export const toastSuccess = (message: string, lastsMs: number = WEB_LIMITS.toastMs): void =>
  void tell({ tone: 'good', message, lastsMs })

export const toastError = (message: string): void => void tell({ tone: 'bad', message, lastsMs: WEB_LIMITS.toastMs })

export const toastWarning = (message: string, action?: Toast['action']): void =>
  void tell({ tone: 'wait', message, lastsMs: WEB_LIMITS.toastMs, action })
