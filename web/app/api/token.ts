import { lastingStorage } from '../ui/browser-storage.ts'
import { announceStored } from '../ui/stored.ts'

export const tokenKey = 'token'
const sessionKeys = [tokenKey, 'nickname', 'userId']

/** Fired on the window when a call was refused with 401: the session is over. */
export const sessionLostEvent = 'sessionlost'

/** Whether a text may stand in an HTTP header; fetch throws on anything else. */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** The token of the current session. A stored text that no header may carry counts as none. */
export function storedToken(): string | null {
  const token = lastingStorage.getItem(tokenKey)
  return token !== null && isHeaderText(token) ? token : null
}

/** Outlives the session, so that the next login is known to come from this device. */
const deviceKey = 'device'
export const storedDevice = (): string | undefined => lastingStorage.getItem(deviceKey) ?? undefined

export function keepSession(session: { token: string; nickname: string; userId: number; device: string }): void {
  lastingStorage.setItem('nickname', session.nickname)
  lastingStorage.setItem('userId', String(session.userId))
  lastingStorage.setItem(deviceKey, session.device)
  // Last: another tab that hears of it finds beside it whose token it is.
  lastingStorage.setItem(tokenKey, session.token)
  announceStored()
}

export function forgetSession(): void {
  for (const key of sessionKeys) lastingStorage.removeItem(key)
  announceStored()
}

export function endSession(): void {
  forgetSession()
  window.dispatchEvent(new Event(sessionLostEvent))
}
