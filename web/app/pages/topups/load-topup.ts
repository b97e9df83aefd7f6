import type { Product } from '@olmos/contract/catalogue'
import type { AccountField } from '@olmos/contract/topup-data'
import type { TopupOffer } from '@olmos/contract/topups'
import type { TopupRules } from '../../features/topups/rules.queries.ts'
import { productMeta } from '../product-meta.ts'
import type { PageServer } from '../server-data.ts'

/** Reads what the page of a top-up shows, and what search engines find there. */
export async function loadTopup(server: PageServer, product: Product) {
  const { language, t } = server
  const [rules, listed] = await Promise.all([
    server.read<TopupRules>(`/topups/${product.slug}/fields`),
    server.read<{ offers: TopupOffer[] }>(`/topups/${product.slug}/offers`),
  ])
  const { title, description } = product
  const priced = (listed?.offers ?? []).map((offer) => ({ ...offer, available_count: offer.available }))
  return {
    product,
    rules: { language, data: rules },
    offers: { language, data: listed?.offers },
    meta: await productMeta(server, product, t(toDescription(rules?.fields), { title, description }), priced),
  }
}

export type LoadedTopup = Awaited<ReturnType<typeof loadTopup>>

/** What each way of pricing draws its part of the page from. */
export interface PricedTopupProps {
  product: Product
  rules: TopupRules
  offers: LoadedTopup['offers']
}

/** A page says by what it tops up. */
function toDescription([first]: readonly AccountField[] = []) {
  if (first?.type === 'login') return 'topups.byLogin'
  return first?.type === 'digits' ? 'topups.byPlayerId' : 'topups.byAccount'
}
