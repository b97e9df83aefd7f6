import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router'
import { ActivateForm } from '../features/topups/ActivateForm.tsx'
import { useDraft } from '../features/topups/draft.ts'
import { FreefireOffers } from '../features/topups/FreefireOffers.tsx'
import { LoadedOffers } from '../features/topups/LoadedOffers.tsx'
import { PlayerField } from '../features/topups/PlayerField.tsx'
import { type FreefireOffer, useFreefireOffers } from '../features/topups/topups.queries.ts'
import { Step } from '../ui/Step.tsx'
import { pageMeta } from './page-meta.ts'
import { ProductFrame } from './product/ProductFrame.tsx'
import { productMeta, readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'
import { FreefireAction } from './topups/FreefireAction.tsx'
import { SummaryAccount, SummaryLine, TopupSummary } from './topups/TopupSummary.tsx'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const product = await readProduct(server, 'freefire')
  const offers = (await server.read<{ offers: FreefireOffer[] }>('/freefire/offers'))?.offers
  const description = server.t('topups.byPlayerId', { title: product.title, description: product.description })
  const priced = (offers ?? []).map(({ price_rub }) => ({ price_rub, available_count: 1 }))
  return {
    product,
    offers: { language: server.language, data: offers },
    meta: productMeta(server, product, description, priced),
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** Another tab is the same page. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search

const tabParam = 'tab'
const empty = { playerId: '', playerName: '', itemId: '' }

export default function FreeFire() {
  const { t } = useTranslation()
  const { product, offers: initial } = useLoaderData<typeof loader>()
  const [params, setParams] = useSearchParams()
  const [draft, change] = useDraft('freefire', empty)
  const query = useFreefireOffers(initial)
  const offer = query.data?.find(({ item_id }) => item_id === draft.itemId)
  const tab = params.get(tabParam) === 'activate' ? 'activate' : 'topup'
  const open = (wanted: string | null) =>
    setParams(wanted === 'activate' ? { [tabParam]: wanted } : {}, { replace: true, preventScrollReset: true })
  const player = <PlayerField game="freefire" player={draft} onChange={change} />

  return (
    <ProductFrame
      product={product}
      {...(tab === 'topup' && {
        summary: (
          <TopupSummary>
            <SummaryLine name={t('topups.package')}>{offer?.name ?? t('topups.nothingChosen')}</SummaryLine>
            <SummaryAccount account={draft.playerName || draft.playerId} />
          </TopupSummary>
        ),
        action: <FreefireAction product={product} offer={offer} player={draft} onFound={change} />,
      })}
    >
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List grow mb="xl">
          <Tabs.Tab value="topup">{t('topups.freefire.topUp')}</Tabs.Tab>
          <Tabs.Tab value="activate">{t('topups.freefire.activate')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="topup">
          <Step number={1} title={t('product.choosePackage')}>
            <LoadedOffers
              query={query}
              render={(offers) => (
                <FreefireOffers offers={offers} chosen={draft.itemId} onChoose={(itemId) => change({ itemId })} />
              )}
            />
          </Step>
          <Step number={2} title={t('topups.whoGetsIt')}>
            {player}
          </Step>
        </Tabs.Panel>
        <Tabs.Panel value="activate">
          <Step number={1} title={t('topups.whoGetsIt')}>
            {player}
          </Step>
          <Step number={2} title={t('topups.freefire.enterCode')}>
            <ActivateForm playerId={draft.playerId} onActivated={() => change({ playerId: '', playerName: '' })} />
          </Step>
        </Tabs.Panel>
      </Tabs>
    </ProductFrame>
  )
}
