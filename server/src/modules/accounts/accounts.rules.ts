import { commonPasswords } from './common-passwords.ts'

/** What a nickname is unique by and found by: two that differ only in case are one. */
export const nicknameKey = (nickname: string): string => nickname.normalize('NFKC').trim().toLowerCase()

/** A password that is tried first by everyone who guesses. */
export const isCommonPassword = (password: string): boolean => commonPasswords.has(password.toLowerCase())
