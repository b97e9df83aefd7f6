import { lastingStorage } from '../ui/browser-storage.ts'
import { announceStored } from '../ui/stored.ts'
import { endSession, storedToken } from './token.ts'

/** Fired on the window when the session has ended. Whoever can ask for the password on the spot prevents the default. */
export const loginAgainEvent = 'loginagain'
/** Fired on the window when a call needs an admin's second factor again. Whoever asks for it prevents the default. */
export const secondFactorEvent = 'secondfactor'
/** Fired on the window when the session may do nothing until its owner has chosen another password. */
export const passwordChangeEvent = 'passwordchange'

export interface PageQuestion {
  /** When the call was sent, by the page's clock: an answer given after that covers it too. */
  sentAt: number
  /** With true, the call is sent again, unless somebody else has logged in. */
  answer(isGiven: boolean): void
}

/**
 * Has the page ask the customer something without leaving it. Resolves to whether the call can be sent again: not where nothing
 * on the page can ask, nor as somebody else, who has logged in meanwhile.
 */
export async function askPage(
  event: typeof loginAgainEvent | typeof secondFactorEvent,
  token: string | null,
  sentAt: number,
): Promise<boolean> {
  if (!isStillStored(token)) return false
  const asked = lastingStorage.getItem('userId')
  const isGiven = await new Promise<boolean>((resolve) => {
    const question = new CustomEvent<PageQuestion>(event, { cancelable: true, detail: { sentAt, answer: resolve } })
    if (window.dispatchEvent(question)) resolve(false)
  })
  return isGiven && lastingStorage.getItem('userId') === asked
}

/**
 * What a 401 means for the session that the call was sent with: the page asks for the password, or the session is over.
 * Resolves to whether the call can be sent again.
 */
export async function resumeSession(token: string | null, sentAt: number): Promise<boolean> {
  if (await askPage(loginAgainEvent, token, sentAt)) return true
  if (isStillStored(token)) endSession()
  // The storage was cleared under the page, which learns of it here.
  else if (token === null) announceStored()
  return false
}

/** Whether the session a call was sent with is still the current one: after logging out or in, a 401 is about another. */
const isStillStored = (token: string | null): boolean => token !== null && token === storedToken()
