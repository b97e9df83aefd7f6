import { Group, Text } from '@mantine/core'
import { Amount } from './Amount.tsx'
import { useConversion } from './conversion.ts'
import type { AmountStyle } from './format.ts'

interface PriceProps extends AmountStyle {
  usd: number
  rub: number
  size?: 'sm' | 'md' | 'lg'
  /** One above the other, where there is little room. */
  isStacked?: boolean
}

/** A price in the chosen currency, and small in another one of those that orders are in. */
export function Price({ usd, rub, size = 'md', isStacked = false, ...style }: PriceProps) {
  const { shown, showPrice } = useConversion()
  const isDollar = shown === 'USD'
  return (
    <Group
      gap={isStacked ? 0 : 6}
      align="baseline"
      {...(isStacked && { display: 'grid', style: { gridTemplateColumns: 'minmax(0, 1fr)' } })}
    >
      <Text fw={700} size={size} component="span" miw={0}>
        <Amount {...showPrice({ price_usd: usd, price_rub: rub })} {...style} />
      </Text>
      <Text size="xs" c="dimmed" component="span" miw={0}>
        <Amount value={isDollar ? rub : usd} currency={isDollar ? 'RUB' : 'USD'} {...style} />
      </Text>
    </Group>
  )
}
