import '../features/topups/topups.module.css'
import type { OfferEntry, Product } from '@olmos/contract/catalogue'
import { useId } from 'react'
import {
  isRouteErrorResponse,
  Link,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useNavigate,
  useRouteError,
} from 'react-router'
import { Offers } from '../features/catalogue/Offers.tsx'
import { useOfferChoice } from '../features/catalogue/use-offer-choice.ts'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { RegionName } from '../money/RegionName.tsx'
import { paths } from '../paths.ts'
import { late } from '../ui/late.ts'
import { Message } from '../ui/Message.tsx'
import { Press, pressClass } from '../ui/Press.tsx'
import { Step } from '../ui/Step.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import classes from './ProductPage.module.css'
import { pageMeta } from './page-meta.ts'
import { BuyPanel } from './product/BuyPanel.tsx'
import { ProductFrame } from './product/ProductFrame.tsx'
import { productMeta, readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'
import { loadTopup } from './topups/load-topup.ts'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const product = await readProduct(server, args.params.slug ?? '')
  if (product.kind === 'topup') return loadTopup(server, product)
  const firstRegion = product.hasGlobalCodes ? 0 : (product.regions[0]?.id ?? 0)
  const offers = await server.read<OfferEntry[]>(`/products/${product.id}/codes/${firstRegion}`)
  const description = server.t('product.description', { title: product.title, description: product.description })
  return { product, firstRegion, offers, meta: await productMeta(server, product, description, offers ?? []) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** Another choice is the same page. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && (currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search)

/**
 * Loaded for top-ups only: those who buy codes do without. There is no boundary of Suspense around it, so that the whole
 * page is hydrated at once, when it is there. Its styles are the page's own: a document links those of its route alone.
 */
const TopupView = late(async () => (await import('./topups/LateTopupView.tsx')).LateTopupView)

export default function ProductPage() {
  const loaded = useLoaderData<typeof loader>()
  if ('rules' in loaded) return <TopupView loaded={loaded} />
  // The key resets the choice when one product's page leads to another's.
  return <CodeView key={loaded.product.id} {...loaded} />
}

interface CodeViewProps {
  product: Product
  firstRegion: number
  offers: OfferEntry[] | undefined
}

function CodeView({ product, firstRegion, offers }: CodeViewProps) {
  const { t } = useTranslation()
  const choice = useOfferChoice(product, firstRegion, offers)
  const nothing = choice.isGone ? 'product.choiceGone' : 'product.nothingToBuy'
  const missing = choice.query.isPending ? undefined : t(choice.query.isError ? 'product.packagesFailed' : nothing)
  return (
    <ProductFrame product={product} action={<BuyPanel product={product} choice={choice} missing={missing} />}>
      {product.hasRegions && (
        <Step number={1} title={t('product.chooseRegion')}>
          <RegionChoice product={product} regionId={choice.regionId} onChoose={choice.chooseRegion} />
        </Step>
      )}
      <Step number={product.hasRegions ? 2 : 1} title={t('product.choosePackage')}>
        <Offers choice={choice} />
      </Step>
    </ProductFrame>
  )
}

export function ErrorBoundary() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorScreen />
  // A link that opened a tab of its own has nothing behind it.
  const goBack = () => (window.history.length > 1 ? navigate(-1) : navigate(paths.home))
  return (
    <Message title={t('product.notFound')} text={t('product.notFoundText')} drawing="empty">
      <PrivateTitle title={t('product.notFound')} />
      <Press onClick={goBack} look="plain">
        {t('notFound.back')}
      </Press>
      <Link to={paths.products} className={pressClass()}>
        {t('notFound.browse')}
      </Link>
    </Message>
  )
}

interface RegionChoiceProps {
  product: Product
  /** 0 for none. */
  regionId: number
  onChoose(regionId: number): void
}

/** One row of flags with names, and for whom the codes of the chosen one work. */
function RegionChoice({ product, regionId, onChoose }: RegionChoiceProps) {
  const { t } = useTranslation()
  const name = useId()
  const chosen = product.regions.find(({ id }) => id === regionId)
  const choices = [
    ...(product.hasGlobalCodes ? [{ id: 0, label: t('product.anyRegion') }] : []),
    ...product.regions.map((region) => ({ id: region.id, label: <RegionName region={region} /> })),
  ]
  return (
    <>
      <div role="radiogroup" aria-label={t('product.chooseRegion')} className={classes.regions}>
        {choices.map(({ id, label }) => (
          <label key={id} className={classes.region} data-chosen={id === regionId || undefined}>
            <input
              type="radio"
              name={name}
              value={id}
              checked={id === regionId}
              onChange={() => onChoose(id)}
              onClick={id === regionId ? () => onChoose(id) : undefined}
              className={classes.radio}
            />
            {label}
          </label>
        ))}
      </div>
      {chosen && <p className={classes.regionNote}>{t('product.regionOnly', { region: chosen.name })}</p>}
    </>
  )
}
