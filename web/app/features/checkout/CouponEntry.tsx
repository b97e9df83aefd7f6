import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import type { AppliedCoupon, couponsApi } from '@olmos/contract/coupons'
import type { Currency } from '@olmos/contract/money'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useState } from 'react'
import { isRefusal } from '../../api/api-error.ts'
import { caller } from '../../api/client.ts'
import { failureText } from '../../api/failure-text.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { visitStorage } from '../../ui/browser-storage.ts'
import { late } from '../../ui/late.ts'
import classes from './Checkout.module.css'
import { type Bought, toTopupData } from './checkout.queries.ts'
import { couponText } from './refusal.ts'

const check = caller<typeof couponsApi.check>('POST /checkout/coupon')

/** Where the coupon of this visit is kept: the script of the page puts the one of a link there, too (start-page.ts). */
const storageKey = 'coupon'

/** Few have a coupon. */
const LateCouponField = late(async () => (await import('./CouponField.tsx')).CouponField)

interface CouponState {
  /** As it was typed or came with a link; blank for none. */
  code: string
  /** What it takes off, by the last check; undefined while that is not known, or nothing. */
  applied: AppliedCoupon | undefined
  isChecking: boolean
  /** Why it is of no use. */
  error: Error | null
  apply(code: string): void
  remove(): void
}

/** The coupon of this visit and what it takes off what is bought. */
export function useCoupon({ items, topup, currency }: Bought & { currency: Currency }): CouponState {
  const [code, setCode] = useState(() => visitStorage.getItem(storageKey) ?? '')
  const lines = items.map((item) => `${item.id}x${item.quantity}x${item.price_usd}x${item.price_rub}`)
  const topupData = topup && toTopupData(topup, currency)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.coupon.of(code, currency, topupData ?? lines),
    queryFn: async () => (await check({ body: { coupon: code, currency, topupData } })).data,
    enabled: code !== '',
    staleTime: 0,
  })
  return {
    code,
    applied: error ? undefined : data,
    isChecking: isFetching,
    error: isFetching ? null : error,
    apply(next) {
      if (next === code) return void refetch()
      visitStorage.setItem(storageKey, next)
      setCode(next)
    },
    remove() {
      forgetCoupon()
      setCode('')
    },
  }
}

/** It was used. */
export const forgetCoupon = (): void => visitStorage.removeItem(storageKey)

interface CouponEntryProps {
  coupon: CouponState
  currency: Currency
  isDisabled: boolean
}

/** Asks for a coupon once somebody says to have one; one that is applied says what it takes off, and can be taken out again. */
export function CouponEntry({ coupon, currency, isDisabled }: CouponEntryProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { code, applied, isChecking, error } = coupon

  const fold = () => {
    coupon.remove()
    setTyped('')
    setIsOpen(false)
  }
  if (applied) {
    const text = t('checkout.coupon.applied', {
      code: applied.code,
      amount: formatAmount(applied.discount, currency, language),
    })
    return (
      <div className={classes.coupon} role="status">
        <Group justify="space-between" gap="xs">
          <Text fw={600} flex={1} miw="10rem" className={classes.breaking}>
            {text}
          </Text>
          <Button variant="default" disabled={isDisabled} onClick={fold}>
            {t('checkout.coupon.remove')}
          </Button>
        </Group>
        {applied.is_cut && (
          <Text size="sm" c="dimmed">
            {t('checkout.coupon.cut')}
          </Text>
        )}
      </div>
    )
  }

  if (!isOpen && code === '') {
    return (
      <Button variant="subtle" px={8} disabled={isDisabled} onClick={() => setIsOpen(true)}>
        {t('checkout.coupon.open')}
      </Button>
    )
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = (typed || code).trim()
    if (wanted !== '' && !isChecking) coupon.apply(wanted)
  }
  const refusal =
    error && (isRefusal(error, 'COUPON_REFUSED') ? couponText(t, language, error.details) : failureText(t, error))
  return (
    <form className={classes.coupon} onSubmit={submit}>
      <Suspense fallback={<Skeleton className={classes.field} radius={0} />}>
        <LateCouponField
          label={t('checkout.coupon.label')}
          value={typed || code}
          isFocused={isOpen}
          disabled={isDisabled || isChecking}
          onChange={(text) => {
            setTyped(text)
            if (code !== '') coupon.remove()
            setIsOpen(true)
          }}
        />
      </Suspense>
      <Button type="submit" variant="default" mt="xs" disabled={isDisabled} loading={isChecking}>
        {t('checkout.coupon.apply')}
      </Button>
      {refusal && (
        <Alert color="red" role="alert" mt="xs">
          {refusal}
        </Alert>
      )}
    </form>
  )
}
