import { storedToken } from '../api/token.ts'
import { lastingStorage } from '../ui/browser-storage.ts'
import { useStored } from '../ui/stored.ts'

/** Whether somebody is logged in; undefined on the server and until hydration. */
export const useIsLoggedIn = (): boolean | undefined =>
  useStored<boolean | undefined>(() => storedToken() !== null, undefined)

/** What the browser keeps about the customer who is logged in; empty texts when nobody is. */
export const storedCustomer = () => ({
  nickname: lastingStorage.getItem('nickname') ?? '',
  userId: lastingStorage.getItem('userId') ?? '',
})
