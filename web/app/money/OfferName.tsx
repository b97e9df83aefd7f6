import type { CartItem } from '@olmos/contract/cart'
import { GameAmount } from './GameAmount.tsx'
import { RegionName } from './RegionName.tsx'

interface OfferNameProps {
  item: Pick<CartItem, 'game_amount' | 'game_currency' | 'region' | 'quantity'>
  /** Of a top-up: its offer may have a name of its own. */
  offerName?: string | undefined
  /** Where a control beside it says how many. */
  isCounted?: boolean
}

/** What was chosen of a product: the package, the region its codes work in, and how many of it. */
export function OfferName({ item, offerName, isCounted = true }: OfferNameProps) {
  return (
    <>
      {offerName ?? <GameAmount amount={item.game_amount} currency={item.game_currency} />}
      {isCounted && item.quantity > 1 && ` × ${item.quantity}`}
      {item.region && (
        <>
          {' · '}
          <RegionName region={item.region} />
        </>
      )}
    </>
  )
}
