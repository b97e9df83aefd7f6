import { Text } from '@mantine/core'
import { useTranslation } from '../i18n/use-translation.ts'
import { useConversion } from './conversion.ts'
import { isConvertedCurrency } from './currency.ts'

/** Says how a sum in a currency that no order is in was made, and what stays in those of orders; nothing for other sums. */
export function ConvertedNote() {
  const { t } = useTranslation()
  const { shown } = useConversion()
  if (!isConvertedCurrency(shown)) return null
  return (
    <Text size="sm" c="dimmed">
      {t('converted.note')}
    </Text>
  )
}
