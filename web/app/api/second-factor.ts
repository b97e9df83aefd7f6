/** Told to the page when a call wants an admin's second factor again. Who asks for it prevents the default. */
export const secondFactorEvent = 'secondfactor'

export interface SecondFactorQuestion {
  /** Whether it was given: the call is sent again then. */
  answer(isGiven: boolean): void
}

/** Has the page ask for the second factor; where nothing on it can, it is not given. */
export function askSecondFactor(): Promise<boolean> {
  return new Promise((resolve) => {
    const question = new CustomEvent<SecondFactorQuestion>(secondFactorEvent, {
      cancelable: true,
      detail: { answer: resolve },
    })
    if (window.dispatchEvent(question)) resolve(false)
  })
}
