import { AspectRatio, Box, Button, Grid, Image, Stack, Text, Title } from '@mantine/core'
import type { PackageEntry, Product } from '@olmos/contract/catalogue'
import { useTranslation } from 'react-i18next'
import {
  isRouteErrorResponse,
  Link,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
  useRouteError,
} from 'react-router'
import { PackageChoice } from '../features/catalogue/PackageChoice.tsx'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { pageMeta } from './page-meta.ts'
import { BuyPanel } from './product/BuyPanel.tsx'
import { productMeta, readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const product = await readProduct(server, args.params.slug ?? '')
  const firstRegion = product.hasGlobalCodes ? 0 : (product.regions[0]?.id ?? 0)
  const packages = await server.read<PackageEntry[]>(`/products/${product.id}/codes/${firstRegion}`)
  const description = server.t('product.description', { title: product.title, description: product.description })
  return { product, firstRegion, packages, meta: productMeta(server, product, description, packages ?? []) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

export default function ProductPage() {
  const { product, firstRegion, packages } = useLoaderData<typeof loader>()
  // A product of its own: going from one to another starts choosing anew.
  return <ProductView key={product.id} product={product} firstRegion={firstRegion} packages={packages} />
}

interface ProductViewProps {
  product: Product
  firstRegion: number
  packages: PackageEntry[] | undefined
}

function ProductView({ product, firstRegion, packages }: ProductViewProps) {
  const { t } = useTranslation()
  const canBuy = product.kind === 'code'
  return (
    <Page>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <AspectRatio ratio={4 / 3}>
              <Image src={product.image_url} alt="" radius="lg" />
            </AspectRatio>
            <Title order={1}>{product.title}</Title>
            <Text c="dimmed">{product.description}</Text>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          {!canBuy && (
            <Surface mb="lg">
              <Title order={2} size="h4">
                {t('product.opensSoon')}
              </Title>
              <Text c="dimmed">{t('product.opensSoonText')}</Text>
            </Surface>
          )}
          <PackageChoice
            product={product}
            firstRegion={firstRegion}
            initial={packages}
            renderBuy={canBuy ? (chosen) => <BuyPanel product={product} chosen={chosen} /> : undefined}
          />
          <Instructions text={product.activation_instructions} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Instructions({ text }: { text: string }) {
  const { t } = useTranslation()
  if (text === '') return null
  return (
    <Box component="section" mt="xl">
      <Title order={2} mb="xs">
        {t('product.instructions')}
      </Title>
      <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>
    </Box>
  )
}

export function ErrorBoundary() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorScreen />
  return (
    <Message title={t('product.notFound')} text={t('product.notFoundText')}>
      <Button onClick={() => navigate(-1)} variant="default">
        {t('notFound.back')}
      </Button>
      <Button component={Link} to={paths.products}>
        {t('notFound.browse')}
      </Button>
    </Message>
  )
}
