import { Box, Button, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRevalidator,
} from 'react-router'
import { ProductCard } from '../features/catalogue/ProductCard.tsx'
import { isFound } from '../features/catalogue/search.ts'
import { topupOffers } from '../features/catalogue/topup-offers.ts'
import { Price } from '../money/Price.tsx'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { RetryMessage } from '../ui/RetryMessage.tsx'
import { pageMeta } from './page-meta.ts'
import { useSearchText } from './search-text.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { read, t, url } = await pageServer(args)
  const [products, topups] = await Promise.all([read<Product[]>('/products'), read<Product[]>('/topups')])
  return {
    products,
    topups,
    meta: { title: `${t('products.title')} · Olmos`, description: t('products.description'), url },
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** The search goes through what is here already. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search && defaultShouldRevalidate

/** The three of the specification are there whatever is listed, in an order and under titles of their own. */
const isNotBuiltIn = ({ slug }: Product) => !topupOffers.some((offer) => offer.slug === slug)

const toTopupOffer = ({ slug, title, image_url: image, keywords }: Product) => ({
  slug,
  title,
  image,
  keywords,
  link: paths.product(slug),
})

/** Cards have prices, which need more room than the top-ups above them. */
const phoneColumns = 2

export default function ProductList() {
  const { t } = useTranslation()
  const { products, topups: listed = [] } = useLoaderData<typeof loader>()
  const [wanted, search] = useSearchText()
  const topups = [...topupOffers, ...listed.filter(isNotBuiltIn).map(toTopupOffer)].filter((offer) =>
    isFound(wanted, offer),
  )
  const cards = (products ?? []).filter((product) => isFound(wanted, product))
  const hasNothing = topups.length === 0 && cards.length === 0 && products !== undefined

  return (
    <Page title={t('products.title')}>
      <TextInput
        type="search"
        size="md"
        mb="xl"
        label={t('products.search')}
        placeholder={t('products.searchHint')}
        leftSection={<IconSearch size={18} />}
        value={wanted}
        onChange={(event) => search(event.currentTarget.value)}
      />
      {hasNothing && (
        <Message level={2} title={t('products.nothing')} text={t('products.nothingText')}>
          <Button variant="default" onClick={() => search('')}>
            {t('products.clear')}
          </Button>
        </Message>
      )}
      {topups.length > 0 && (
        <Section title={t('products.topups')} phoneColumns={3}>
          {topups.map((offer, at) => (
            <ProductCard
              key={offer.slug}
              title={offer.title}
              image={offer.image}
              link={offer.link}
              isFirst={at < topupOffers.length}
            />
          ))}
        </Section>
      )}
      {cards.length > 0 && (
        <Section title={t('products.cards')} phoneColumns={phoneColumns}>
          {cards.map((product, at) => (
            <ProductCard
              key={product.id}
              title={product.title}
              image={product.image_url}
              link={paths.product(product.slug)}
              // The first row is seen without scrolling.
              isFirst={at < phoneColumns}
            >
              <CheapestPrice product={product} />
            </ProductCard>
          ))}
        </Section>
      )}
      {products === undefined && <ProductsFailed />}
    </Page>
  )
}

interface SectionProps {
  title: string
  phoneColumns: 2 | 3
  children: React.ReactNode
}

function Section({ title, phoneColumns, children }: SectionProps) {
  return (
    <Box component="section" mb="xl">
      <Title order={2} mb="md">
        {title}
      </Title>
      <SimpleGrid cols={{ base: phoneColumns, sm: 3, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
        {children}
      </SimpleGrid>
    </Box>
  )
}

function CheapestPrice({ product }: { product: Product }) {
  const { t } = useTranslation()
  const cheapest = product.prices.find((entry) => entry.available_count > 0) ?? product.prices[0]
  if (!cheapest)
    return (
      <Text size="sm" c="dimmed">
        {t('product.soldOut')}
      </Text>
    )
  return (
    <>
      <Text size="xs" c="dimmed" mt="auto">
        {t('products.from')}
      </Text>
      <Price usd={cheapest.price_usd} rub={cheapest.price_rub} />
    </>
  )
}

function ProductsFailed() {
  const { t } = useTranslation()
  const { revalidate, state } = useRevalidator()
  return (
    <RetryMessage
      level={2}
      title={t('products.failed')}
      text={t('loading.failedText')}
      retry={{ label: t('loading.retry'), isBusy: state === 'loading', onClick: revalidate }}
    />
  )
}
