import { Text } from '@mantine/core'
import type { PackageCount } from '@olmos/contract/uc-combination'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { useDraft } from '../features/topups/draft.ts'
import { LoadedOffers } from '../features/topups/LoadedOffers.tsx'
import { PlayerField } from '../features/topups/PlayerField.tsx'
import { type UcOffer, useUcOffers } from '../features/topups/topups.queries.ts'
import { UcAmount } from '../features/topups/UcAmount.tsx'
import { UcOffers } from '../features/topups/UcOffers.tsx'
import { selectionFor, sumUc, toChosen, toggled, type UcSelection } from '../features/topups/uc-selection.ts'
import { Amount } from '../money/Amount.tsx'
import { useCurrency } from '../money/currency.ts'
import { gameNumber } from '../money/game-number.ts'
import { lineTotal } from '../money/total.ts'
import { Step } from '../ui/Step.tsx'
import { pageMeta } from './page-meta.ts'
import { ProductFrame } from './product/ProductFrame.tsx'
import { productMeta, readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'
import { PubgAction } from './topups/PubgAction.tsx'
import { SummaryAccount, SummaryLine, TopupSummary } from './topups/TopupSummary.tsx'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const product = await readProduct(server, 'pubg')
  const offers = await server.read<UcOffer[]>('/pubg/packages')
  const description = server.t('topups.byPlayerId', { title: product.title, description: product.description })
  return { product, offers, meta: productMeta(server, product, description, offers ?? []) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

const nothing: UcSelection = {}
const empty = { playerId: '', playerName: '', typed: '', selection: nothing }

export default function Pubg() {
  const { t } = useTranslation()
  const { product, offers: initial } = useLoaderData<typeof loader>()
  const [draft, change] = useDraft('pubg', empty)
  const query = useUcOffers(initial)
  const offers = query.data ?? []
  const chosen = toChosen(draft.selection, offers)

  return (
    <ProductFrame
      product={product}
      summary={<UcSummary chosen={chosen} account={draft.playerName || draft.playerId} />}
      action={<PubgAction product={product} chosen={chosen} player={draft} />}
    >
      <Step number={1} title={t('topups.pubg.chooseAmount')}>
        <UcAmount value={draft.typed} onChange={(typed) => change({ typed, selection: selectionFor(typed, offers) })} />
        <LoadedOffers
          query={query}
          render={(offers) => (
            <UcOffers
              offers={offers}
              selection={draft.selection}
              onToggle={(id) => change({ typed: '', selection: toggled(draft.selection, id) })}
            />
          )}
        />
      </Step>
      <Step number={2} title={t('topups.whoGetsIt')}>
        <PlayerField game="pubg" player={draft} onChange={change} />
      </Step>
    </ProductFrame>
  )
}

interface UcSummaryProps {
  chosen: readonly PackageCount<UcOffer>[]
  account: string
}

/** Lists each chosen offer, and how many UC they add up to. */
function UcSummary({ chosen, account }: UcSummaryProps) {
  const { t } = useTranslation()
  const currency = useCurrency()
  return (
    <TopupSummary>
      {chosen.length === 0 && <Text c="dimmed">{t('topups.nothingChosen')}</Text>}
      {chosen.map(({ package: entry, quantity }) => (
        <SummaryLine key={entry.id} name={`${gameNumber(entry.uc_amount)} UC${quantity > 1 ? ` × ${quantity}` : ''}`}>
          <Amount value={lineTotal({ ...entry, quantity }, currency)} currency={currency} />
        </SummaryLine>
      ))}
      <SummaryLine name={t('topups.pubg.totalUc')}>
        <span aria-live="polite">{gameNumber(sumUc(chosen).uc)} UC</span>
      </SummaryLine>
      <SummaryAccount account={account} />
    </TopupSummary>
  )
}
