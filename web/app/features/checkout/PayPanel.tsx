import { Alert, Badge, Button, Group, Radio, Stack, Text, Title } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import type { PaymentMark } from '@olmos/contract/payment-methods'
import { IconAlertCircle, IconQrcode, IconWallet } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { isConvertedCurrency, walletCurrencies } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { Surface } from '../../ui/Surface.tsx'
import { FillLink } from './FillLink.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import { MethodGlyph } from './MethodGlyph.tsx'
import type { OfferedMethods } from './methods.queries.ts'
import { OrderTotal } from './OrderTotal.tsx'
import classes from './PayPanel.module.css'

interface PayPanelProps {
  total: number
  /** What is left of it for the method. */
  rest: number
  currency: Currency
  /** Those the price is known in. */
  payable: readonly Currency[]
  onCurrency(currency: Currency): void
  /** Major units; undefined until it is known. */
  balances: Record<Currency, number> | undefined
  methods: OfferedMethods
  /** What is under way. */
  busy: 'balance' | 'card' | undefined
  refusal: string | undefined
  onPayFromBalance(): void
  onPayByCard(): void
  /** How much of it the balance pays beside the method. */
  part: ReactNode
  /** Where the receipt of a card payment goes. */
  email: ReactNode
}

/** In which currency, from where, and the button that says exactly what happens. */
export function PayPanel(props: PayPanelProps) {
  const { t } = useTranslation()
  const { total, rest, currency, balances, busy } = props
  const language = useLanguage()
  const { methods, chosen, isStale } = props.methods
  const missing = balances ? total - balances[currency] : 0
  const isFromBalance = missing <= 0 && rest === total

  return (
    <Surface>
      <Stack gap="md">
        <Title order={2} size="h3">
          {t('checkout.payment')}
        </Title>
        <CurrencyChoice {...props} />
        <OrderTotal total={total} currency={currency} charge={isStale || rest !== total ? undefined : chosen?.charge} />
        {props.part}
        <MethodChoice {...props.methods} currency={currency} isDisabled={busy !== undefined} />
        {props.refusal && (
          <Alert color="red" icon={<IconAlertCircle />} role="alert">
            {props.refusal}
          </Alert>
        )}
        <div>
          <PayButton
            isPrimary={isFromBalance}
            icon={<IconWallet size={20} />}
            isBusy={busy === 'balance'}
            isDisabled={busy === 'card'}
            onPress={props.onPayFromBalance}
          >
            {t('checkout.payFromBalance', { amount: formatAmount(total, currency, language) })}
          </PayButton>
          {missing > 0 && !props.refusal && (
            <Text size="sm" mt={6} c="var(--olmos-wait)">
              {t('checkout.missing', { amount: formatAmount(missing, currency, language) })}{' '}
              <FillLink currency={currency} missing={missing} />
            </Text>
          )}
        </div>
        {props.email}
        <PayByMethod {...props} isPrimary={!isFromBalance} />
        {!methods.some(({ marks }) => marks.includes('sbp')) && (
          <LaterMethod icon={<IconQrcode size={20} />} name={t('checkout.sbp')} />
        )}
      </Stack>
    </Surface>
  )
}

/** The marks that the button calls a card; the others are named as they are. */
const cardMarks: readonly PaymentMark[] = ['card', 'sandbox', 'sandbox_soums']

/** The button of the method that is chosen, which names what will be charged. */
function PayByMethod({
  methods: { chosen, isStale },
  rest,
  currency,
  busy,
  isPrimary,
  onPayByCard,
}: PayPanelProps & Pick<PayButtonProps, 'isPrimary'>) {
  const { t } = useTranslation()
  const language = useLanguage()
  const mark = chosen?.marks[0] ?? 'card'
  const charge = isStale ? undefined : chosen?.charge
  const amount = charge?.amount == null ? ([rest, currency] as const) : ([charge.amount, charge.currency] as const)
  const shown = formatAmount(...amount, language)
  return (
    <PayButton
      isPrimary={isPrimary}
      icon={<MethodGlyph mark={mark} />}
      isBusy={busy === 'card'}
      isDisabled={busy === 'balance'}
      onPress={onPayByCard}
    >
      {cardMarks.includes(mark)
        ? t('checkout.payByCard', { amount: shown })
        : t('checkout.payByMethod', { amount: shown, method: chosen?.title ?? t(`payMark.${mark}`) })}
    </PayButton>
  )
}

interface PayButtonProps {
  /** The way that can pay is the one to press. */
  isPrimary: boolean
  icon: ReactNode
  isBusy: boolean
  isDisabled: boolean
  onPress(): void
  children: ReactNode
}

/** Wraps its label, which names the amount, where a phone leaves too little room. */
const PayButton = ({ isPrimary, icon, isBusy, isDisabled, onPress, children }: PayButtonProps) => (
  <Button
    size="md"
    fullWidth
    h="auto"
    mih={44}
    py={8}
    px="sm"
    variant={isPrimary ? 'filled' : 'default'}
    classNames={{ label: classes.label }}
    leftSection={icon}
    loading={isBusy}
    disabled={isDisabled}
    onClick={onPress}
  >
    {children}
  </Button>
)

function CurrencyChoice({ currency, payable, onCurrency, balances, busy }: PayPanelProps) {
  const { t } = useTranslation()
  const { shown } = useConversion()
  return (
    <Radio.Group
      label={t(isConvertedCurrency(shown) ? 'converted.currency' : 'checkout.currency')}
      value={currency}
      onChange={(chosen) => onCurrency(chosen === 'USD' ? 'USD' : 'RUB')}
    >
      <Stack gap="xs" mt="xs">
        {walletCurrencies.map((one) => (
          <Radio.Card
            key={one}
            value={one}
            className={classes.card}
            disabled={busy !== undefined || !payable.includes(one)}
            radius="md"
          >
            <Group justify="space-between" gap="xs">
              <Group gap="xs" wrap="nowrap">
                <Radio.Indicator />
                <Text fw={600}>{t(one === 'USD' ? 'checkout.dollars' : 'checkout.roubles')}</Text>
              </Group>
              <Text size="sm" c="dimmed" ta="end">
                {payable.includes(one) ? t('checkout.balance') : t('checkout.priceUnknown')}{' '}
                {balances && payable.includes(one) ? <Amount value={balances[one]} currency={one} /> : '…'}
              </Text>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  )
}

function LaterMethod({ icon, name }: { icon: ReactNode; name: string }) {
  const { t } = useTranslation()
  return (
    <Button
      size="md"
      fullWidth
      variant="default"
      disabled
      leftSection={icon}
      rightSection={
        <Badge variant="light" color="gray">
          {t('checkout.comingSoon')}
        </Badge>
      }
    >
      {name}
    </Button>
  )
}
