import type { CartItem } from '@olmos/contract/cart'
import { GameAmount } from './GameAmount.tsx'
import { nameBesidesAmount } from './game-number.ts'
import { RegionName } from './RegionName.tsx'

interface OfferNameProps {
  item: Pick<CartItem, 'game_amount' | 'game_currency' | 'region' | 'quantity'> & Partial<Pick<CartItem, 'topup_data'>>
  /** False where a control beside it shows the quantity. */
  isCounted?: boolean
}

/** Names what was chosen of a product: the offer, the region its codes work in, and the quantity. */
export function OfferName({ item, isCounted = true }: OfferNameProps) {
  return (
    <>
      {nameBesidesAmount(item) ?? <GameAmount amount={item.game_amount} currency={item.game_currency} />}
      {isCounted && item.quantity > 1 && `\u00A0×\u00A0${item.quantity}`}
      {item.region && (
        <>
          {'\u00A0· '}
          <RegionName region={item.region} />
        </>
      )}
    </>
  )
}
