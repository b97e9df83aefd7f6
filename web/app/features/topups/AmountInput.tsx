import { Box, Button, SegmentedControl, Stack } from '@mantine/core'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { type AmountRange, formatShortAmount, rangeText, toLeast, toMost } from '../../money/steam-amount.ts'
import classes from './amounts.module.css'

const currencyOptions: { value: SteamCurrency; label: string }[] = [
  { value: 'usd', label: 'USD' },
  { value: 'rub', label: 'RUB' },
  { value: 'kzt', label: 'KZT' },
]

/** Amounts that one press puts in. */
const quickAmounts: Record<SteamCurrency, readonly number[]> = {
  usd: [5, 10, 20, 50],
  rub: [250, 500, 1000, 2500],
  kzt: [1000, 2500, 5000, 10_000],
}

interface AmountInputProps {
  /** As it was typed. */
  value: string
  currency: SteamCurrency
  /** How much is sold; null where the store did not say. */
  range: AmountRange | null
  onChange(typed: string): void
  onCurrency(currency: SteamCurrency): void
}

/** How much is to arrive, and in which currency that is meant. */
export function AmountInput({ value, currency, range, onChange, onCurrency }: AmountInputProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [least, most] = [toLeast(range, currency), toMost(range, currency)]
  const shown = (amount: number) => formatShortAmount(amount, currency, language)
  const refused = () => {
    if (value === '') return undefined
    if (Number(value) < least) return t('topUp.least', { amount: shown(least) })
    return most !== undefined && Number(value) > most ? t('topups.steam.most', { amount: shown(most) }) : undefined
  }
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="md"
        aria-label={t('topups.steam.currency')}
        data={currencyOptions}
        // What the padding takes, large letters need.
        styles={{ label: { paddingInline: 4 } }}
        value={currency}
        onChange={onCurrency}
      />
      <MoneyInput
        size="md"
        label={t('topups.steam.amount')}
        description={range && rangeText(t, language, range, currency)}
        min={least}
        clampBehavior="none"
        autoComplete="off"
        error={refused()}
        value={value}
        onChange={(typed) => onChange(String(typed))}
      />
      <Box role="group" aria-label={t('topups.pubg.quick')} className={classes.quick}>
        {quickAmounts[currency].map((amount) => (
          <Button
            key={amount}
            variant={value === String(amount) ? 'light' : 'default'}
            aria-pressed={value === String(amount)}
            px={4}
            onClick={() => onChange(String(amount))}
          >
            {shown(amount)}
          </Button>
        ))}
      </Box>
    </Stack>
  )
}
