/** Told to the page when its session has ended. Who can ask for the password on the spot prevents the default. */
export const loginAgainEvent = 'loginagain'
/** Told to the page when nothing is open to the session before its owner has chosen another password. */
export const passwordChangeEvent = 'passwordchange'

export interface LoginQuestion {
  /** Whether somebody has logged in again: the call is sent again then, with the new session. */
  answer(isLoggedIn: boolean): void
}

/** Has the page ask who is there to log in again without leaving it; where nothing on it can, nobody does. */
export function askToLogInAgain(): Promise<boolean> {
  return new Promise((resolve) => {
    const question = new CustomEvent<LoginQuestion>(loginAgainEvent, { cancelable: true, detail: { answer: resolve } })
    if (window.dispatchEvent(question)) resolve(false)
  })
}
