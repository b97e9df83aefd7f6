import { Button, Group, Stack, TextInput } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import { LIMITS } from '@olmos/contract/limits'
import { useTranslation } from 'react-i18next'
import { gameNumber } from '../../money/game-number.ts'
import { ucDigits } from './uc-selection.ts'

interface UcAmountProps {
  /** Digits; empty when offers are chosen by hand. */
  value: string
  onChange(typed: string): void
}

/** Asks for an amount, for which offers are then combined. */
export function UcAmount({ value, onChange }: UcAmountProps) {
  const { t } = useTranslation()
  const most = t('topups.pubg.most', { amount: gameNumber(LIMITS.ucMax) })
  return (
    <Stack gap="xs" mb="md">
      <TextInput
        size="md"
        label={t('topups.pubg.custom')}
        description={t('topups.pubg.customHint')}
        placeholder="1920"
        inputMode="numeric"
        autoComplete="off"
        rightSection="UC"
        rightSectionWidth={48}
        error={Number(value) > LIMITS.ucMax ? most : undefined}
        value={value}
        onChange={(event) => onChange(ucDigits(event.currentTarget.value))}
      />
      <Group gap="xs" role="group" aria-label={t('topups.pubg.quick')}>
        {BUSINESS.ucPresets.map((amount) => (
          <Button
            key={amount}
            variant={value === String(amount) ? 'light' : 'default'}
            aria-pressed={value === String(amount)}
            px="sm"
            onClick={() => onChange(String(amount))}
          >
            {gameNumber(amount)} UC
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
