import { LIMITS } from '@olmos/contract/limits'

interface PasswordForm {
  currentPassword: string
  password: string
  confirmPassword: string
}

/** Field -> key of what is wrong with it, as the server would say. */
export function passwordErrors({ currentPassword, password, confirmPassword }: PasswordForm): Record<string, string> {
  const errors: Record<string, string> = {}
  if (currentPassword.trim() === '') errors.currentPassword = 'required'
  if (password.length < LIMITS.passwordMin) errors.password = 'password_too_short'
  else if (!/\d/.test(password)) errors.password = 'password_no_number'
  if (confirmPassword !== password) errors.confirmPassword = 'passwords_dont_match'
  return errors
}
