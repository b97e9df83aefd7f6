import { Skeleton } from '@mantine/core'
import type { OfferedMethod } from '@olmos/contract/payments'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { lastingStorage } from '../../ui/browser-storage.ts'
import { late } from '../../ui/late.ts'
import classes from './Checkout.module.css'

const LateEmailField = late(async () => (await import('./EmailField.tsx')).EmailField)

/** The name of the field in the page, by which it gets the focus. */
export const emailFieldName = 'email'

const storageKey = 'receiptEmail'
const looksRight = (email: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)

interface ReceiptEmailState {
  isNeeded: boolean
  value: string
  error: string | undefined
  change(value: string): void
  /** The e-mail to send with the payment, kept for the next visit; `null` where one is needed and this is none. */
  take(): string | undefined | null
}

/** The e-mail for a fiscal receipt, where the chosen method needs one. It is remembered in the browser. */
export function useReceiptEmail(chosen: OfferedMethod | undefined): ReceiptEmailState {
  const { t } = useTranslation()
  const [value, setValue] = useState(() => lastingStorage.getItem(storageKey) ?? '')
  const [isWrong, setIsWrong] = useState(false)
  const isNeeded = chosen?.needs.includes('email') ?? false
  return {
    isNeeded,
    value,
    error: isWrong ? t('field.invalid_email') : undefined,
    change(next) {
      setValue(next)
      setIsWrong(false)
    },
    take() {
      if (!isNeeded) return undefined
      const email = value.trim()
      setIsWrong(!looksRight(email))
      if (!looksRight(email)) return null
      lastingStorage.setItem(storageKey, email)
      return email
    },
  }
}

/** Asks where the receipt goes; nothing where the method needs no e-mail. */
export function ReceiptEmail({ email }: { email: ReceiptEmailState }) {
  const { t } = useTranslation()
  if (!email.isNeeded) return null
  return (
    <Suspense fallback={<Skeleton className={classes.field} radius={0} />}>
      <LateEmailField
        name={emailFieldName}
        label={t('checkout.email')}
        description={t('checkout.emailHint')}
        value={email.value}
        error={email.error}
        onChange={(event) => email.change(event.currentTarget.value)}
      />
    </Suspense>
  )
}
