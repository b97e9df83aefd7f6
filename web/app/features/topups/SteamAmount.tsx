import { NumberInput, SegmentedControl, Stack } from '@mantine/core'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { SteamCurrency } from '@olmos/contract/topups'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../i18n/use-language.ts'
import { formatSteamAmount } from './steam-amount.ts'

const currencyOptions: { value: SteamCurrency; label: string }[] = [
  { value: 'usd', label: 'USD' },
  { value: 'rub', label: 'RUB' },
  { value: 'kzt', label: 'KZT' },
]
const least = toMajor(LIMITS.steamAmountMin)

interface SteamAmountProps {
  /** As it was typed. */
  value: string
  currency: SteamCurrency
  onChange(typed: string): void
  onCurrency(currency: SteamCurrency): void
}

/** How much is to arrive, and in which currency that is meant. */
export function SteamAmount({ value, currency, onChange, onCurrency }: SteamAmountProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const leastText = t('topups.steam.least', { amount: formatSteamAmount(least, currency, language) })
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="md"
        aria-label={t('topups.steam.currency')}
        data={currencyOptions}
        value={currency}
        onChange={onCurrency}
      />
      <NumberInput
        size="md"
        label={t('topups.steam.amount')}
        description={leastText}
        min={least}
        clampBehavior="none"
        decimalScale={2}
        allowNegative={false}
        allowedDecimalSeparators={[',', '.']}
        hideControls
        inputMode="decimal"
        autoComplete="off"
        error={value !== '' && Number(value) < least ? leastText : undefined}
        value={value}
        onChange={(typed) => onChange(String(typed))}
      />
    </Stack>
  )
}
