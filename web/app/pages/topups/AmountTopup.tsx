import { Button, Group, Loader, SimpleGrid, Text, Title } from '@mantine/core'
import type { Language } from '@olmos/contract/fields'
import { IconClock, IconMapPin } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError, isRefusal } from '../../api/api-error.ts'
import { AmountInput } from '../../features/topups/AmountInput.tsx'
import { useDraft } from '../../features/topups/draft.ts'
import { specifiedTopups } from '../../features/topups/specified-topups.ts'
import styles from '../../features/topups/topups.module.css'
import {
  type Calculation,
  useCalculation,
  usePreparePrices,
  type WantedAmount,
} from '../../features/topups/topups.queries.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { useCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { formatSteamAmount, refusedRangeText, toLeast } from '../../money/steam-amount.ts'
import { paths } from '../../paths.ts'
import { useIsLoggedIn } from '../../session/session.ts'
import { Surface } from '../../ui/Surface.tsx'
import { toastError, toastWarning } from '../../ui/toast.ts'
import type { PricedTopupProps } from './load-topup.ts'
import { SteamHelp } from './SteamHelp.tsx'
import { type Chosen, SummaryLine, TopupFrame } from './TopupFrame.tsx'

/** An amount of money arrives, and its price with commission is calculated by the store, for customers only. */
export function AmountTopup({ product, rules }: PricedTopupProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const { convert } = useConversion()
  const isVisitor = useIsLoggedIn() === false
  const draft = useDraft(product.slug)
  const [{ amount, inputCurrency }, change] = draft
  const wanted = { amount: Number(amount), inputCurrency }
  const calculation = useCalculation(product.slug, wanted, currency)
  const prepare = usePreparePrices(product.slug)
  useCalculationToasts(calculation.error)
  const isSteam = specifiedTopups[product.slug]?.isSteam
  const isEnough = wanted.amount > 0 && wanted.amount >= toLeast(rules.range ?? null, inputCurrency)

  const toChosen = (prices: { usd: number; rub: number; commission: number }): Chosen => ({
    amount: wanted.amount,
    input_currency: inputCurrency,
    offer_name: formatSteamAmount(wanted.amount, inputCurrency, language),
    price_usd: prices.usd,
    price_rub: prices.rub,
    commission: prices.commission,
  })
  return (
    <TopupFrame
      product={product}
      rules={rules}
      draft={draft}
      title={t('topups.steam.howMuch')}
      help={isSteam && <SteamHelp />}
      notes={isSteam && <SteamNotes minutes={rules.promised_minutes} />}
      isTimingNoted={isSteam === true}
      hasMoreLines
      lines={<Calculated wanted={wanted} calculation={calculation} terms={rules.commission} />}
      total={
        calculation.shown && (
          <Text fw={700} size="lg">
            <Amount {...convert(calculation.shown.amountInUserCurrency, currency)} />
          </Text>
        )
      }
      // The prices are those of the last press.
      chosen={isEnough && calculation.isCurrent ? toChosen({ usd: 0, rub: 0, commission: 0 }) : undefined}
      missingText={t(isSteam ? 'topups.steam.enterLoginAndAmount' : 'topups.chooseAndFill')}
      pay={{
        label: t(isVisitor ? 'topups.steam.loginToContinue' : 'topups.topUpNow'),
        loginText: t('topups.steam.loginToBuy'),
        isWanted: isEnough,
        isBusy: prepare.isPending,
        isDisabledUntilFilled: !isVisitor,
        settle: (onSettled) =>
          prepare.mutate(
            { wanted, paidIn: currency },
            {
              onSuccess: (prices) => onSettled(toChosen(prices)),
              onError: () => toastError(t('topups.steam.preparationFailed')),
            },
          ),
      }}
    >
      <AmountInput
        range={rules.range ?? null}
        value={amount}
        currency={inputCurrency}
        onChange={(typed) => change({ amount: typed })}
        onCurrency={(chosen) => change({ inputCurrency: chosen })}
      />
    </TopupFrame>
  )
}

interface CalculatedProps {
  wanted: WantedAmount
  calculation: Calculation
  terms: PricedTopupProps['rules']['commission']
}

/** What arrives, what is deducted from the balance, and how much of that is commission. */
function Calculated({ wanted, calculation, terms }: CalculatedProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const { convert } = useConversion()
  const { shown, isBusy, error } = calculation
  const failure = error && calculationFailure(error)
  return (
    <>
      {wanted.amount > 0 ? (
        <SummaryLine name={t('topups.steam.arrives')}>
          {formatSteamAmount(wanted.amount, wanted.inputCurrency, language)}
        </SummaryLine>
      ) : (
        <Text c="dimmed">{t('topups.steam.enterAmount')}</Text>
      )}
      {shown && (
        <>
          <SummaryLine name={t('topups.steam.deducted')}>
            <Amount {...convert(shown.amountInUserCurrency, currency)} />
          </SummaryLine>
          <SummaryLine name={t('topups.steam.commission')}>
            <Amount value={shown.commission} currency="USD" />
            {currency !== 'USD' && shown.amountWithCommission > 0 && (
              <span className={styles.about}>
                {' ≈ '}
                <Amount
                  {...convert((shown.amountInUserCurrency * shown.commission) / shown.amountWithCommission, currency)}
                />
              </span>
            )}
          </SummaryLine>
          <LeastCommission terms={terms} />
        </>
      )}
      <div role="status">
        {isBusy && (
          <SummaryLine name={t('topups.steam.calculating')}>
            <Loader size={18} aria-hidden />
          </SummaryLine>
        )}
      </div>
      {failure && (
        <Text size="sm" c={failure === 'loginToCalculate' ? 'var(--olmos-wait)' : 'var(--olmos-bad)'}>
          {calculationText(t, language, error)}
        </Text>
      )}
      {failure === 'calculateFailed' && (
        <Button size="compact-md" variant="default" onClick={() => calculation.retry()}>
          {t('loading.retry')}
        </Button>
      )}
    </>
  )
}

/** Says that a commission is never less than so much, where that is so. */
function LeastCommission({ terms }: Pick<CalculatedProps, 'terms'>) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const least = currency === 'USD' ? terms?.least_usd : terms?.least_rub
  if (!terms || !least) return null
  return (
    <Text size="sm" c="dimmed" ta="end">
      {t('topups.steam.commissionTerms', {
        percent: terms.percent,
        least: formatAmount(least, currency, language),
      })}
    </Text>
  )
}

/** When the money arrives, and where it can't. */
function SteamNotes({ minutes }: { minutes: number }) {
  const { t } = useTranslation()
  const notes = [
    { icon: IconClock, title: t('topups.steam.timing'), text: t('topups.steam.timingText', { count: minutes }) },
    { icon: IconMapPin, title: t('topups.steam.regions'), text: t('topups.steam.regionsText') },
  ]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={2} mb="lg">
      {notes.map(({ icon: Icon, title, text }) => (
        <Surface key={title} radius={0} bd={0}>
          <Group gap={8} wrap="nowrap">
            <Icon size={20} aria-hidden style={{ flexShrink: 0 }} />
            <Title order={3} size="h5">
              {title}
            </Title>
          </Group>
          <Text size="sm" c="dimmed" mt={4}>
            {text}
          </Text>
        </Surface>
      ))}
    </SimpleGrid>
  )
}

/** Why an amount could not be calculated. */
function calculationFailure(error: Error): 'loginToCalculate' | 'invalidAmount' | 'calculateFailed' {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 401) return 'loginToCalculate'
  return status === 400 ? 'invalidAmount' : 'calculateFailed'
}

/** Why an amount could not be calculated, in words: of one that is not sold also how much is. */
function calculationText(t: TFunction, language: Language, error: Error): string {
  const text = t(`topups.steam.notCalculated.${calculationFailure(error)}`)
  const range = isRefusal(error, 'INVALID_AMOUNT') ? refusedRangeText(t, language, error.details) : undefined
  return range === undefined ? text : `${text}. ${range}`
}

/** Says why an amount could not be calculated, each time it could not; whom it asks to log in it shows the way. */
function useCalculationToasts(error: Error | null): void {
  const { t } = useTranslation()
  const language = useLanguage()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language or address is no other failure
  useEffect(() => {
    if (!error) return
    const text = calculationText(t, language, error)
    if (calculationFailure(error) !== 'loginToCalculate') return toastError(text)
    const goToLogin = () => navigate(paths.login, { state: { from: pathname + search } })
    toastWarning(text, { label: t('topups.steam.goToLogin'), onPress: goToLogin })
  }, [error])
}
