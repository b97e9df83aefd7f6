import { Failure } from '@olmos/contract/failure'
import { dictionary } from '@zxcvbn-ts/language-common'
import unhomoglyph from 'unhomoglyph'
import { commonPasswords } from './common-passwords.ts'

/** What a nickname is unique by and found by: two that differ only in case are one. */
export const nicknameKey = (nickname: string): string => nickname.normalize('NFKC').trim().toLowerCase()

/**
 * What a nickname looks like: equal for two that are drawn alike, such as admin and one with a Cyrillic а, an accent, or a
 * dotless i (Unicode Technical Standard 39, its table of confusables).
 */
export const nicknameSkeleton = (nickname: string): string =>
  unhomoglyph(unhomoglyph(nicknameKey(nickname)).normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase()

const guessed: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** A password that is tried first by everyone who guesses, or one with a sign put behind it. */
function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}\p{N}]+$/u, '')
  return [lower, bare].some((known) => commonPasswords.has(known) || guessed.has(known))
}

/** Refuses a password that guessing programs try first, whoever chose it. */
export function requireUncommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new Failure('VALIDATION_FAILED', { password: 'password_too_common' })
}
