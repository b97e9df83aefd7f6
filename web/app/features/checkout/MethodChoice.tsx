import { Radio, Stack, Text } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import type { OfferedMethod } from '@olmos/contract/payments'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useConversion } from '../../money/conversion.ts'
import { isConvertedCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import classes from './MethodChoice.module.css'
import { MethodGlyph } from './MethodGlyph.tsx'
import { type BrokenBound, findBrokenBound } from './method.rules.ts'
import type { OfferedMethods } from './methods.queries.ts'

interface MethodChoiceProps extends OfferedMethods {
  /** The currency of the order. */
  currency: Currency
  isDisabled: boolean
}

/** The shop's ways to pay other than the balance, each with what it charges; nothing where there is nothing to choose. */
export function MethodChoice({ methods, chosen, choose, currency, isStale, isDisabled }: MethodChoiceProps) {
  const { t } = useTranslation()
  if (methods.length < 2) return null
  const choosePossible = (name: string) => {
    if (!methods.some((method) => method.name === name && findBrokenBound(method))) choose(name)
  }
  return (
    <Radio.Group
      label={t('checkout.method')}
      value={chosen?.name ?? null}
      onChange={choosePossible}
      aria-busy={isStale}
    >
      <Stack gap="xs" mt="xs">
        {methods.map((method) => (
          <MethodCell
            key={method.name}
            method={method}
            currency={currency}
            bound={isStale ? undefined : findBrokenBound(method)}
            isStale={isStale}
            isDisabled={isDisabled}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** Makes an indicator of the library words of a button, where HTML has no blocks; its types know only a block. */
export const inButton: object = { component: 'span' }

interface MethodCellProps {
  method: OfferedMethod
  currency: Currency
  bound: BrokenBound | undefined
  isStale: boolean
  isDisabled: boolean
}

function MethodCell({ method, currency, bound, isStale, isDisabled }: MethodCellProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { charge, title, marks } = method
  const [mark = 'card'] = marks
  // Who sees prices in a currency that not every method charges is told by each what it charges.
  const isOther = charge.currency !== currency || isConvertedCurrency(useConversion().shown)
  const isTold = bound === undefined && charge.amount !== null && isOther
  const charged = isTold ? formatAmount(charge.amount, charge.currency, language) : undefined
  return (
    // One that is not possible stays in reach of the keyboard, so that its reason is read.
    <Radio.Card
      value={method.name}
      className={classes.cell}
      disabled={isDisabled}
      aria-disabled={bound !== undefined}
      radius="md"
    >
      <Radio.Indicator {...inButton} />
      <span className={classes.marks}>
        {marks.map((one) => (
          <MethodGlyph key={one} mark={one} size={24} />
        ))}
      </span>
      <span className={classes.words}>
        <Text component="span" fw={600} className={classes.name}>
          {title ?? t(`payMark.${mark}`)}
        </Text>
        {charged && (
          <Text component="span" size="sm" fw={600} className={classes.charge}>
            {isStale ? '…' : t('checkout.charged', { amount: charged })}
          </Text>
        )}
        {bound === undefined && method.fee !== null && !isStale && (
          <Text component="span" size="sm" c="dimmed">
            {t('checkout.feeOfMethod', { amount: formatAmount(method.fee, currency, language) })}
          </Text>
        )}
        {bound && (
          <Text component="span" size="sm" c="var(--olmos-wait)" className={classes.reason}>
            {t(`checkout.outside.${bound.kind}`, { amount: formatAmount(bound.amount, bound.currency, language) })}
          </Text>
        )}
      </span>
    </Radio.Card>
  )
}
