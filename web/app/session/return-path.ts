/** Where to go after logging in: a path of this store, never another address. */
export function safeReturnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted) || /[\\\p{C}]/u.test(wanted)) return '/'
  return /^\/(login|register|new-password)(\/|\?|#|$)/i.test(wanted) ? '/' : wanted
}
