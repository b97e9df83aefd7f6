import { Button, Chip, Group, Text, Title } from '@mantine/core'
import type { OfferEntry, Product } from '@olmos/contract/catalogue'
import { useTranslation } from 'react-i18next'
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
import { RegionName } from '../money/RegionName.tsx'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'
import { Step } from '../ui/Step.tsx'
import { Surface } from '../ui/Surface.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { pageMeta } from './page-meta.ts'
import { BuyPanel } from './product/BuyPanel.tsx'
import { ProductFrame } from './product/ProductFrame.tsx'
import { productMeta, readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const product = await readProduct(server, args.params.slug ?? '')
  const firstRegion = product.hasGlobalCodes ? 0 : (product.regions[0]?.id ?? 0)
  const offers = await server.read<OfferEntry[]>(`/products/${product.id}/codes/${firstRegion}`)
  const description = server.t('product.description', { title: product.title, description: product.description })
  return { product, firstRegion, offers, meta: productMeta(server, product, description, offers ?? []) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** Another choice is the same page. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && (currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search)

export default function ProductPage() {
  const { product, firstRegion, offers } = useLoaderData<typeof loader>()
  // The key resets the choice when one product's page leads to another's.
  return <ProductView key={product.id} product={product} firstRegion={firstRegion} offers={offers} />
}

interface ProductViewProps {
  product: Product
  firstRegion: number
  offers: OfferEntry[] | undefined
}

function ProductView({ product, firstRegion, offers }: ProductViewProps) {
  const { t } = useTranslation()
  const choice = useOfferChoice(product, firstRegion, offers)
  const canBuy = product.kind === 'code'
  const nothing = choice.isGone ? 'product.choiceGone' : 'product.nothingToBuy'
  const missing = choice.query.isPending ? undefined : t(choice.query.isError ? 'product.packagesFailed' : nothing)
  return (
    <ProductFrame product={product} action={canBuy && <BuyPanel product={product} choice={choice} missing={missing} />}>
      {!canBuy && (
        <Surface mb="lg">
          <Title order={2} size="h4">
            {t('product.opensSoon')}
          </Title>
          <Text c="dimmed">{t('product.opensSoonText')}</Text>
        </Surface>
      )}
      {product.hasRegions && (
        <Step number={1} title={t('product.chooseRegion')}>
          <RegionChoice product={product} regionId={choice.regionId} onChoose={choice.chooseRegion} />
        </Step>
      )}
      <Step number={product.hasRegions ? 2 : 1} title={t(canBuy ? 'product.choosePackage' : 'product.all')}>
        <Offers choice={choice} canBuy={canBuy} />
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
    <Message title={t('product.notFound')} text={t('product.notFoundText')}>
      <PrivateTitle title={t('product.notFound')} />
      <Button onClick={goBack} variant="default">
        {t('notFound.back')}
      </Button>
      <Button component={Link} to={paths.products}>
        {t('notFound.browse')}
      </Button>
    </Message>
  )
}

interface RegionChoiceProps {
  product: Product
  /** 0 for none. */
  regionId: number
  onChoose(regionId: number): void
}

function RegionChoice({ product, regionId, onChoose }: RegionChoiceProps) {
  const { t } = useTranslation()
  return (
    <Chip.Group value={String(regionId)} onChange={(id) => onChoose(Number(id))}>
      <Group gap="xs" role="radiogroup" aria-label={t('product.chooseRegion')}>
        {product.hasGlobalCodes && (
          <Chip value="0" size="md">
            {t('product.anyRegion')}
          </Chip>
        )}
        {product.regions.map((region) => (
          <Chip key={region.id} value={String(region.id)} size="md">
            <RegionName region={region} />
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
