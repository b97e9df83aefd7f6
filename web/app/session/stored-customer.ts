import { lastingStorage } from '../ui/browser-storage.ts'

/** What the browser keeps of who is logged in; empty texts when nobody is. */
export const storedCustomer = () => ({
  nickname: lastingStorage.getItem('nickname') ?? '',
  userId: lastingStorage.getItem('userId') ?? '',
})
