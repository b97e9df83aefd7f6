import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A field for a password, whose eye says in the visitor's language what it does. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('login.togglePassword') }} {...props} />
}
