/** What the browser keeps of who is logged in; empty texts when nobody is. */
export const storedCustomer = () => ({
  nickname: localStorage.getItem('nickname') ?? '',
  userId: localStorage.getItem('userId') ?? '',
})
