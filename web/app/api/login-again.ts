/** Fired on the window when the session has ended. Whoever can ask for the password on the spot prevents the default. */
export const loginAgainEvent = 'loginagain'
/** Fired on the window when the session may do nothing until its owner has chosen another password. */
export const passwordChangeEvent = 'passwordchange'

export interface LoginQuestion {
  /** With true, the call is sent again with the new session. */
  answer(isLoggedIn: boolean): void
}

/** Has the page ask the customer to log in again without leaving it; resolves to false where nothing on the page can. */
export function askToLogInAgain(): Promise<boolean> {
  return new Promise((resolve) => {
    const question = new CustomEvent<LoginQuestion>(loginAgainEvent, { cancelable: true, detail: { answer: resolve } })
    if (window.dispatchEvent(question)) resolve(false)
  })
}
