/** Told to the page when a call wants an admin's second factor again. Who asks for it prevents the default. */
export const secondFactorEvent = 'secondfactor'

export interface SecondFactorQuestion {
  /** When the call was sent, by the page's own clock: what was answered later holds for it too. */
  sentAt: number
  /** Whether it was given: the call is sent again then. */
  answer(isGiven: boolean): void
}

/** Has the page ask for the second factor; where nothing on it can, it is not given. */
export function askSecondFactor(sentAt: number): Promise<boolean> {
  return new Promise((resolve) => {
    const question = new CustomEvent<SecondFactorQuestion>(secondFactorEvent, {
      cancelable: true,
      detail: { sentAt, answer: resolve },
    })
    if (window.dispatchEvent(question)) resolve(false)
  })
}
