import type { ListedOrder } from '@olmos/contract/orders'
import { Fragment } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { nameBesidesAmount } from '../../money/game-number.ts'
import { OfferName } from '../../money/OfferName.tsx'

type Item = ListedOrder['items'][number]

const mostNamed = 3

/** Names an order by what was bought: `100 Robux × 2, 50 TRY`. Amounts for one account are what arrives there. */
export function OrderName({ items }: { items: Item[] }) {
  const { t } = useTranslation()
  const [first] = items
  if (!first) return null
  if (items.every((item) => isAddedTo(first, item))) {
    const amount = items.reduce((sum, item) => sum + item.game_amount * item.quantity, 0)
    return <GameAmount amount={amount} currency={first.game_currency} />
  }
  const isOneProduct = listTitles(items).length === 1
  const more = items.length - mostNamed
  return (
    <>
      {items.slice(0, mostNamed).map((item, place) => (
        <Fragment key={item.id}>
          {place > 0 && ', '}
          {!isOneProduct && `${item.product.title}: `}
          <OfferName item={item} />
        </Fragment>
      ))}
      {more > 0 && ` ${t('orders.andMore', { count: more })}`}
    </>
  )
}

/** Whether two top-ups are amounts of one currency for one account. */
const isAddedTo = (first: Item, item: Item): boolean =>
  first.topup_data !== null &&
  item.topup_data !== null &&
  item.topup_data.service === first.topup_data.service &&
  item.topup_data.player_id === first.topup_data.player_id &&
  item.game_currency === first.game_currency &&
  !nameBesidesAmount(item)

/** The products of an order, each once. */
export const listTitles = (items: readonly Item[]): string[] => [...new Set(items.map(({ product }) => product.title))]

/** The account that all of an order is for; undefined where there are several, or none. */
export const findTarget = (items: readonly Item[]): Item['topup_data'] | undefined => {
  const [first] = items
  return items.every((item) => item.topup_data?.player_id === first?.topup_data?.player_id)
    ? first?.topup_data
    : undefined
}
