export const tokenKey = 'token'
const sessionKeys = [tokenKey, 'nickname', 'userId']

/** Told to the page when somebody logs in or out, here or in another tab. */
export const sessionEvent = 'sessionchange'
/** Told to the page when a call was refused with 401: the session is gone. */
export const sessionLostEvent = 'sessionlost'

export const tellOfSession = (): boolean => window.dispatchEvent(new Event(sessionEvent))

export const storedToken = (): string | null => localStorage.getItem(tokenKey)

/** Outlives the session: it tells the next login that it comes from here. */
const deviceKey = 'device'
export const storedDevice = (): string | undefined => localStorage.getItem(deviceKey) ?? undefined

export function keepSession(session: { token: string; nickname: string; userId: number; device: string }): void {
  localStorage.setItem(tokenKey, session.token)
  localStorage.setItem('nickname', session.nickname)
  localStorage.setItem('userId', String(session.userId))
  localStorage.setItem(deviceKey, session.device)
  tellOfSession()
}

export function forgetSession(): void {
  for (const key of sessionKeys) localStorage.removeItem(key)
  tellOfSession()
}

export function endSession(): void {
  forgetSession()
  window.dispatchEvent(new Event(sessionLostEvent))
}
