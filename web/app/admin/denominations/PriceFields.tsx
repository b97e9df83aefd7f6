import { SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { LIMITS } from '@olmos/contract/limits'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../money/MoneyInput.tsx'

interface Prices {
  price_usd: number | string
  price_rub: number | string
}

/** What a denomination costs, in both currencies. */
export function PriceFields<Values extends Prices>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  const money = { required: true, min: 0, max: LIMITS.amountMax / 100 }
  return (
    <SimpleGrid cols={2}>
      <MoneyInput currency="USD" label={t('admin.products.priceUsd')} {...money} {...form.getInputProps('price_usd')} />
      <MoneyInput currency="RUB" label={t('admin.products.priceRub')} {...money} {...form.getInputProps('price_rub')} />
    </SimpleGrid>
  )
}
