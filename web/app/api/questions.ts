/** Fired on the window when the session has ended. Whoever can ask for the password on the spot prevents the default. */
export const loginAgainEvent = 'loginagain'
/** Fired on the window when a call needs an admin's second factor again. Whoever asks for it prevents the default. */
export const secondFactorEvent = 'secondfactor'
/** Fired on the window when the session may do nothing until its owner has chosen another password. */
export const passwordChangeEvent = 'passwordchange'

export interface PageQuestion {
  /** When the call was sent, by the page's clock: an answer given after that covers it too. */
  sentAt: number
  /** With true, the call is sent again. */
  answer(isGiven: boolean): void
}

/** Has the page ask the customer something without leaving it; resolves to false where nothing on the page can. */
export function askPage(event: typeof loginAgainEvent | typeof secondFactorEvent, sentAt: number): Promise<boolean> {
  return new Promise((resolve) => {
    const question = new CustomEvent<PageQuestion>(event, { cancelable: true, detail: { sentAt, answer: resolve } })
    if (window.dispatchEvent(question)) resolve(false)
  })
}
