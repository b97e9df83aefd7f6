import * as LIMITS from '@olmos/contract/limits'

interface NewPassword {
  password: string
  confirmPassword: string
}

type FieldErrors = Record<string, string>

/** What is wrong with a new password and its repetition, as keys in the store's own words. */
export function newPasswordErrors({ password, confirmPassword }: NewPassword): FieldErrors {
  const errors: FieldErrors = {}
  if (password.length < LIMITS.passwordMin) errors.password = 'password_too_short'
  else if (!/\d/.test(password)) errors.password = 'password_no_number'
  if (confirmPassword !== password) errors.confirmPassword = 'passwords_dont_match'
  return errors
}

/** Field -> key of what is wrong with it, before a password is changed. */
export const passwordErrors = ({ currentPassword, ...values }: NewPassword & { currentPassword: string }) => ({
  ...(currentPassword.trim() === '' && { currentPassword: 'required' }),
  ...newPasswordErrors(values),
})

/** Field -> key of what is wrong with it, before somebody registers. */
export const registrationErrors = ({ nickname, ...values }: NewPassword & { nickname: string }) => ({
  ...(nickname.trim().length < LIMITS.nicknameMin && { nickname: 'nickname_too_short' }),
  ...newPasswordErrors(values),
})
