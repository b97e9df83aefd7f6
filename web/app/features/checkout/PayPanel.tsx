import { Alert, Button, Radio, Stack, Text, Title } from '@mantine/core'
import type { AppliedCoupon } from '@olmos/contract/coupons'
import type { Currency } from '@olmos/contract/money'
import type { PaymentMark } from '@olmos/contract/orders'
import { IconAlertCircle, IconWallet } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { isConvertedCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { Surface } from '../../ui/Surface.tsx'
import classes from './Checkout.module.css'
import { FillLink } from './FillLink.tsx'
import { inButton, MethodChoice } from './MethodChoice.tsx'
import { MethodFee } from './MethodFee.tsx'
import { MethodGlyph } from './MethodGlyph.tsx'
import { chargeWithoutFee } from './method.rules.ts'
import type { OfferedMethods } from './methods.queries.ts'
import { OrderTotal } from './OrderTotal.tsx'
import { TermsNote } from './TermsNote.tsx'

interface PayPanelProps {
  total: number
  /** The coupon that the total is without. */
  coupon: AppliedCoupon | undefined
  /** What is left of it for the method. */
  rest: number
  /** Whether the balance was asked for a part only, also while what is typed is no amount. */
  isPartOn: boolean
  currency: Currency
  /** Those that can be chosen, and of them those the price is known in. */
  currencies: readonly Currency[]
  payable: readonly Currency[]
  onCurrency(currency: Currency): void
  /** Major units; undefined until it is known. */
  balances: Record<Currency, number> | undefined
  methods: OfferedMethods
  /** Whether the total may be about to change. */
  isChecking: boolean
  /** What is under way. */
  busy: 'balance' | 'card' | undefined
  refusal: string | undefined
  onPayFromBalance(): void
  onPayByCard(): void
  /** How much of it the balance pays beside the method. */
  part: ReactNode
  /** Where the receipt of a card payment goes. */
  email: ReactNode
  /** What becomes of the order once it is paid, in one line above the button. */
  promise: string
}

const readMissing = ({ balances, total, currency }: PayPanelProps) => (balances ? total - balances[currency] : 0)

/** Whether the balance has enough, and was not asked for a part only: then it is the way to press. */
const isBalanceFirst = (props: PayPanelProps) => readMissing(props) <= 0 && !props.isPartOn

/** In which currency and from where, the way to pay that comes second, and what it comes to. */
export function PayPanel(props: PayPanelProps) {
  const { t } = useTranslation()
  const { total, rest, currency, busy } = props
  const { methods, chosen, isStale, isNone } = props.methods
  const isFromBalance = isBalanceFirst(props)
  const footnotes = [
    ...(isFromBalance || isNone ? [] : [t('checkout.payPage')]),
    ...(methods.some(({ marks }) => marks.includes('sbp'))
      ? []
      : [`${t('checkout.sbp')}: ${t('checkout.comingSoon')}`]),
  ]

  return (
    <Surface radius={0} bd={0}>
      <Stack gap="md">
        <Title order={2} size="h3">
          {t('checkout.payment')}
        </Title>
        <CurrencyChoice {...props} />
        {!isFromBalance && <PayFromBalance {...props} isPrimary={false} />}
        <MethodChoice {...props.methods} currency={currency} isDisabled={busy !== undefined} />
        {!isNone && props.part}
        {props.email}
        {isFromBalance && <PayByMethod {...props} isPrimary={false} />}
        {footnotes.length > 0 && <p className={classes.footnote}>{footnotes.join(' ')}</p>}
        <OrderTotal
          total={total}
          currency={currency}
          coupon={props.coupon}
          charge={isStale || rest !== total ? undefined : chargeWithoutFee(chosen)}
        />
        <MethodFee chosen={chosen} isStale={isStale} currency={currency} />
        <TermsNote />
      </Stack>
    </Surface>
  )
}

/** The way that can pay, as the one button to press: on a phone always at the thumb. Why it did not work stands above it. */
export function PayBar(props: PayPanelProps) {
  return (
    <>
      {props.refusal ? (
        <Alert color="red" icon={<IconAlertCircle />} role="alert" mb="xs">
          {props.refusal}
        </Alert>
      ) : (
        <p className={classes.promise}>{props.promise}</p>
      )}
      {isBalanceFirst(props) ? <PayFromBalance {...props} isPrimary /> : <PayByMethod {...props} isPrimary />}
    </>
  )
}

/** Pays all of it from the balance; while that is short, says by how much. */
function PayFromBalance(props: PayPanelProps & Pick<PayButtonProps, 'isPrimary'>) {
  const { total, currency, busy, isChecking, isPrimary, onPayFromBalance } = props
  const { t } = useTranslation()
  const language = useLanguage()
  const reason = useId()
  const missing = readMissing(props)
  return (
    <div>
      <PayButton
        isPrimary={isPrimary}
        icon={<IconWallet size={20} />}
        isBusy={isChecking || busy === 'balance'}
        isDisabled={busy === 'card' || missing > 0}
        onPress={onPayFromBalance}
        describedBy={missing > 0 ? reason : undefined}
      >
        {t('checkout.payFromBalance', { amount: formatAmount(total, currency, language) })}
      </PayButton>
      {missing > 0 && (
        <Text id={reason} size="sm" mt={6} c="var(--olmos-wait)">
          {t('checkout.missing', { amount: formatAmount(missing, currency, language) })}{' '}
          <FillLink currency={currency} missing={missing} />
        </Text>
      )}
    </div>
  )
}

/** The marks that the button calls a card; the others are named as they are. */
const cardMarks: readonly PaymentMark[] = ['card', 'sandbox', 'sandbox_soums']

/** The button of the method that is chosen, which names what will be charged. */
function PayByMethod({
  methods: { chosen, isStale, isNone },
  rest,
  currency,
  busy,
  isChecking,
  isPrimary,
  onPayByCard,
}: PayPanelProps & Pick<PayButtonProps, 'isPrimary'>) {
  const { t } = useTranslation()
  const language = useLanguage()
  const reason = useId()
  const mark = chosen?.marks[0] ?? 'card'
  const charge = isStale ? undefined : chosen?.charge
  const amount = charge?.amount == null ? ([rest, currency] as const) : ([charge.amount, charge.currency] as const)
  const shown = formatAmount(...amount, language)
  return (
    <div>
      <PayButton
        isPrimary={isPrimary}
        icon={<MethodGlyph mark={mark} />}
        isBusy={isChecking || busy === 'card'}
        isDisabled={busy === 'balance' || isNone}
        onPress={onPayByCard}
        describedBy={isNone ? reason : undefined}
      >
        {cardMarks.includes(mark)
          ? t('checkout.payByCard', { amount: shown })
          : t('checkout.payByMethod', { amount: shown, method: chosen?.title ?? t(`payMark.${mark}`) })}
      </PayButton>
      {isNone && (
        <Text id={reason} size="sm" mt={6} c="var(--olmos-wait)">
          {t('checkout.onlyBalance')}
        </Text>
      )}
    </div>
  )
}

interface PayButtonProps {
  /** The way that can pay is the one to press. */
  isPrimary: boolean
  icon: ReactNode
  isBusy: boolean
  isDisabled: boolean
  onPress(): void
  /** The id of what says why it can't be pressed. */
  describedBy?: string | undefined
  children: ReactNode
}

/** Wraps its label, which names the amount, where a phone leaves too little room. */
const PayButton = ({ isPrimary, icon, isBusy, isDisabled, onPress, describedBy, children }: PayButtonProps) => (
  <Button
    size="md"
    fullWidth
    h="auto"
    mih={44}
    py={2}
    px="sm"
    variant={isPrimary ? 'filled' : 'default'}
    classNames={{ label: classes.label }}
    leftSection={icon}
    loading={isBusy}
    disabled={isDisabled}
    aria-describedby={describedBy}
    onClick={onPress}
  >
    {children}
  </Button>
)

function CurrencyChoice({ currency, currencies, payable, onCurrency, balances, busy }: PayPanelProps) {
  const { t } = useTranslation()
  const { shown } = useConversion()
  return (
    <Radio.Group
      label={t(isConvertedCurrency(shown) ? 'converted.currency' : 'checkout.currency')}
      value={currency}
      onChange={(chosen) => onCurrency(chosen === 'USD' ? 'USD' : 'RUB')}
    >
      <div className={classes.currencies}>
        {currencies.map((one) => (
          <Radio.Card
            key={one}
            value={one}
            className={classes.currency}
            disabled={busy !== undefined || !payable.includes(one)}
          >
            <span className={classes.currencyName}>
              <Radio.Indicator {...inButton} />
              <Text component="span" fw={600}>
                {t(one === 'USD' ? 'checkout.dollars' : 'checkout.roubles')}
              </Text>
            </span>
            <Text component="span" display="block" size="sm" c="dimmed" mt={4}>
              {payable.includes(one) ? t('checkout.balance') : t('checkout.priceUnknown')}{' '}
              {balances && payable.includes(one) ? <Amount value={balances[one]} currency={one} /> : '…'}
            </Text>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}
