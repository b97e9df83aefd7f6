import { Checkbox, Stack } from '@mantine/core'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { type PartFieldProps, partFieldName } from './part.rules.ts'

/** Offers to pay a part of the order from the balance, and asks how much. Few pay in parts, so it is a file of its own. */
export function PartField({ part, currency, isDisabled }: PartFieldProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const shown = (amount: number) => formatAmount(amount, currency, language)
  const isWrong = part.amount === undefined
  return (
    <Stack gap="xs">
      <Checkbox
        checked={part.isOn}
        disabled={isDisabled}
        label={t('checkout.usePart', { amount: shown(part.amount || part.offered) })}
        onChange={(event) => part.switch(event.currentTarget.checked)}
      />
      {part.isOn && (
        <MoneyInput
          label={t('checkout.part')}
          description={t('checkout.partRest', { rest: shown(part.rest) })}
          currency={currency}
          name={partFieldName}
          value={part.typed}
          disabled={isDisabled}
          error={isWrong ? t('checkout.partRange', { most: shown(part.most) }) : undefined}
          onChange={(value) => part.type(String(value))}
        />
      )}
    </Stack>
  )
}
