import type { CodeStatus } from '@olmos/contract/codes'

/** Every state of a code, and how urgent it looks. */
export const codeStateTones: Record<CodeStatus, 'good' | 'wait' | 'bad'> = {
  unpublished: 'wait',
  available: 'good',
  reserved: 'wait',
  used: 'wait',
  error: 'bad',
  quarantined: 'bad',
  archived: 'wait',
}
