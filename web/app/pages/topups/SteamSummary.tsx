import { Button, Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SteamWish, useSteamCalculation } from '../../features/topups/steam.queries.ts'
import { calculationFailure, calculationText } from '../../features/topups/use-steam-toasts.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { Amount } from '../../money/Amount.tsx'
import { useCurrency } from '../../money/currency.ts'
import { formatSteamAmount } from '../../money/steam-amount.ts'
import { SummaryAccount, SummaryLine, TopupSummary } from './TopupSummary.tsx'

interface SteamSummaryProps {
  login: string
  wish: SteamWish
  calculation: ReturnType<typeof useSteamCalculation>
}

/** What arrives, what is deducted from the balance, and how much of that is commission. */
export function SteamSummary({ login, wish, calculation }: SteamSummaryProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const { shown, isBusy, error } = calculation
  const failure = error && calculationFailure(error)
  return (
    <TopupSummary>
      <SummaryAccount account={login} />
      {wish.amount > 0 ? (
        <SummaryLine name={t('topups.steam.arrives')}>
          {formatSteamAmount(wish.amount, wish.inputCurrency, language)}
        </SummaryLine>
      ) : (
        <Text c="dimmed">{t('topups.steam.enterAmount')}</Text>
      )}
      {shown && (
        <>
          <SummaryLine name={t('topups.steam.deducted')}>
            <Amount value={shown.amountInUserCurrency} currency={currency} />
          </SummaryLine>
          <SummaryLine name={t('topups.steam.commission')}>
            <Amount value={shown.commission} currency="USD" />
          </SummaryLine>
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
    </TopupSummary>
  )
}
