import { LIMITS } from '@olmos/contract/limits'

/** What is pasted often has a space around it. */
export const cleanLogin = (text: string): string => text.replace(/\s/g, '').slice(0, LIMITS.steamLoginMax)

/** Whether Steam has such logins at all. */
export const isLogin = (text: string): boolean => /^[\w.@-]+$/.test(text)
