import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText, gameUnitOfMany } from '../../money/game-number.ts'
import { amountDigits } from './combination.ts'
import classes from './topups.module.css'

interface CombinedAmountProps {
  /** Digits; empty when offers are chosen by hand. */
  value: string
  /** The currency of the game. */
  currency: string
  /** Amounts that one press puts in. */
  presets: readonly number[]
  onChange(typed: string): void
  /** What packages there are for it come to, where that is worth saying. */
  result: string | undefined
}

/** Asks for an amount, for which offers are then combined. */
export function CombinedAmount({ value, currency, presets, onChange, result }: CombinedAmountProps) {
  const { t } = useTranslation()
  const unit = gameUnitOfMany(t, currency)
  const most = t('topups.pubg.most', { amount: gameNumber(LIMITS.ucMax), unit })
  return (
    <Stack gap="xs" mb="md">
      <TextInput
        size="md"
        label={t('topups.pubg.custom', { unit })}
        description={t('topups.pubg.customHint')}
        placeholder={presets.length > 0 ? String(presets.at(-1)) : undefined}
        inputMode="numeric"
        autoComplete="off"
        rightSection={unit}
        rightSectionWidth={`max(48px, ${unit.length}ch + 24px)`}
        error={Number(value) > LIMITS.ucMax ? most : undefined}
        value={value}
        onChange={(event) => onChange(amountDigits(event.currentTarget.value))}
      />
      <Text size="sm" role="status" className={classes.result}>
        {result}
      </Text>
      {presets.length > 0 && (
        <Group gap="xs" role="group" aria-label={t('topups.pubg.quick')}>
          {presets.map((amount) => (
            <Button
              key={amount}
              variant={value === String(amount) ? 'light' : 'default'}
              aria-pressed={value === String(amount)}
              px="sm"
              onClick={() => onChange(String(amount))}
            >
              {gameAmountText(t, amount, currency)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  )
}
