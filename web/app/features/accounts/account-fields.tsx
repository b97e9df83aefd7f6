import { Anchor, Button, PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { isRefusal } from '../../api/api-error.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { OneTimeCode } from '../../ui/OneTimeCode.tsx'
import classes from './account-fields.module.css'

/** A password field whose eye button has a label in the visitor's language. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('login.togglePassword') }} {...props} />
}

interface NewPasswordFieldsProps {
  label: string
  form: { getInputProps(field: 'password' | 'confirmPassword'): PasswordInputProps }
}

/** A password that is being chosen, and its repetition. */
export function NewPasswordFields({ label, form }: NewPasswordFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <PasswordField
        label={label}
        description={t('register.passwordHint')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t('register.confirmPassword')}
        autoComplete="new-password"
        {...form.getInputProps('confirmPassword')}
      />
    </>
  )
}

export function NicknameField(props: TextInputProps) {
  const { t } = useTranslation()
  return <TextInput label={t('login.nickname')} autoComplete="username" autoCapitalize="none" {...props} />
}

/** Tells password managers whose password this form is about. */
export const HiddenNickname = ({ nickname }: { nickname: string }) => (
  <input type="text" name="username" autoComplete="username" value={nickname} readOnly hidden />
)

/** Sends a form, and says in words that it is being sent. */
export const SubmitButton = ({ isBusy, label, busyLabel }: { isBusy: boolean; label: string; busyLabel: string }) => (
  <Button type="submit" size="md" disabled={isBusy}>
    {isBusy ? busyLabel : label}
  </Button>
)

/** Why a form was refused, beside its button: the toast that says it is gone after a while. */
export const Refused = ({ text }: { text: string }) => <p className={classes.refused}>{text}</p>

interface WayOutProps {
  question: string
  to: string
  /** Navigation state for the page it leads to. */
  state?: unknown
  children: ReactNode
}

/** A line below a form that leads elsewhere. */
export const WayOut = ({ question, to, state, children }: WayOutProps) => (
  <li className={classes.way}>
    <span>{question}</span>
    <Anchor component={Link} to={to} state={state} size="sm" underline="always" className={classes.link}>
      {children}
    </Anchor>
  </li>
)

/** The lines below a form that lead elsewhere. */
export const WaysOut = ({ children }: { children: ReactNode }) => <ul className={classes.ways}>{children}</ul>

interface OtpForm {
  setFieldError(field: 'otp', error: string): void
  getInputProps(field: 'otp'): TextInputProps
}

/** Asks for the second factor once a login was refused for want of it. */
export function useLoginOtp(form: OtpForm) {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  return {
    isAsked,
    field: isAsked && (
      <OneTimeCode
        label={t('secondFactor.code')}
        description={t('secondFactor.text')}
        autoFocus
        {...form.getInputProps('otp')}
      />
    ),
    /** Handles a refusal that is about the code; answers whether it was one. */
    handle(error: Error): boolean {
      if (isRefusal(error, 'SECOND_FACTOR_REQUIRED')) {
        if (isAsked) form.setFieldError('otp', t('field.required'))
        setAsked(true)
        return true
      }
      if (!isRefusal(error, 'INVALID_CREDENTIALS') || !error.details.otp) return false
      form.setFieldError('otp', t('field.wrong_code'))
      return true
    },
  }
}
