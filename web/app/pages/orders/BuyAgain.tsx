import { Button } from '@mantine/core'
import type { ListedOrder } from '@olmos/contract/orders'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import { Link } from 'react-router'
import { choiceSearch } from '../../choice-in-address.ts'
import { keepDraft } from '../../features/topups/draft.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'

/**
 * Leads to where an order is bought again, with all of it chosen and filled in. Nothing for an order of several products,
 * which have a page each, nor for one that waits for its payment: its own page resumes that.
 */
export function BuyAgain({ order: { items, status } }: { order: ListedOrder }) {
  const { t } = useTranslation()
  const [first] = items
  if (status === 'awaiting_payment') return null
  if (!first || (items.length > 1 && !items.every((item) => isForSameAccount(first, item)))) return null
  return (
    <Button
      component={Link}
      to={toPage(first)}
      variant="default"
      size="sm"
      px="sm"
      aria-label={t('orders.againNamed', { title: first.product.title })}
      onClick={() => first.again.account && keepDraft(first.again.slug, toDraft(items))}
    >
      {t('orders.again')}
    </Button>
  )
}

type Item = ListedOrder['items'][number]

const isForSameAccount = (first: Item, { again }: Item): boolean =>
  again.account !== null &&
  again.slug === first.again.slug &&
  JSON.stringify(again.account) === JSON.stringify(first.again.account)

const toPage = ({ again, region, game_amount, quantity }: Item): string =>
  again.account === null
    ? paths.product(again.slug) + choiceSearch({ region: region?.id ?? 0, amount: game_amount, quantity })
    : paths.product(again.slug)

const inputCurrencies: Record<string, SteamCurrency | undefined> = { USD: 'usd', RUB: 'rub', KZT: 'kzt' }

/** Fills in what any page of a top-up asks for; each takes what it has. */
function toDraft(items: Item[]): Parameters<typeof keepDraft>[1] {
  const [first] = items
  const offers = items.flatMap(({ again, quantity }) => (again.offer_id === null ? [] : [[again.offer_id, quantity]]))
  const inputCurrency = inputCurrencies[first?.game_currency ?? '']
  return {
    account: first?.again.account ?? {},
    offerId: first?.again.offer_id ?? 0,
    selection: Object.fromEntries(offers),
    playerName: first?.topup_data?.player_name ?? '',
    ...(inputCurrency && { amount: String(first?.game_amount), inputCurrency }),
  }
}
