import { Amount } from './Amount.tsx'
import { useConversion } from './conversion.ts'
import type { AmountStyle } from './format.ts'
import classes from './Price.module.css'

interface PriceProps extends AmountStyle {
  usd: number
  rub: number
  size?: 'sm' | 'md' | 'lg'
  /** One above the other, where there is little room. */
  isStacked?: boolean
}

/** A price in the chosen currency, and small in another one of those that orders are in, if the shop offers it. */
export function Price({ usd, rub, size = 'md', isStacked = false, ...style }: PriceProps) {
  const { shown, choices, showPrice } = useConversion()
  const other = shown === 'USD' ? 'RUB' : 'USD'
  return (
    <div className={classes.price} data-stacked={isStacked || undefined}>
      <span className={classes.shown} data-size={size}>
        <Amount {...showPrice({ price_usd: usd, price_rub: rub })} {...style} />
      </span>
      {choices.includes(other) && (
        <span className={classes.other}>
          <Amount value={other === 'RUB' ? rub : usd} currency={other} {...style} />
        </span>
      )}
    </div>
  )
}
