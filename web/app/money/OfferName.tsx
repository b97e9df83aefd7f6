import type { CartItem } from '@olmos/contract/cart'
import { GameAmount } from './GameAmount.tsx'
import { RegionName } from './RegionName.tsx'

interface OfferNameProps {
  item: Pick<CartItem, 'game_amount' | 'game_currency' | 'region' | 'quantity'>
  /** The name of a top-up's offer, where it has one. */
  offerName?: string | undefined
  /** False where a control beside it shows the quantity. */
  isCounted?: boolean
}

/** Names what was chosen of a product: the offer, the region its codes work in, and the quantity. */
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
