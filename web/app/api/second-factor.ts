/** Fired on the window when a call needs an admin's second factor again. Whoever asks for it prevents the default. */
export const secondFactorEvent = 'secondfactor'

export interface SecondFactorQuestion {
  /** When the call was sent, by the page's clock: an answer given after that covers it too. */
  sentAt: number
  /** With true, the call is sent again. */
  answer(isGiven: boolean): void
}

/** Has the page ask for the second factor; resolves to false where nothing on the page can. */
export function askSecondFactor(sentAt: number): Promise<boolean> {
  return new Promise((resolve) => {
    const question = new CustomEvent<SecondFactorQuestion>(secondFactorEvent, {
      cancelable: true,
      detail: { sentAt, answer: resolve },
    })
    if (window.dispatchEvent(question)) resolve(false)
  })
}
