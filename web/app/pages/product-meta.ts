import type { Product } from '@olmos/contract/catalogue'
import type { Review } from '@olmos/contract/reviews'
import { toConversion } from '../money/conversion.ts'
import { paths } from '../paths.ts'
import type { PageServer } from './server-data.ts'
import { structuredPage, structuredTrail } from './structured-data.ts'

/** A product of the catalogue by its slug; the page is not found where there is none. */
export async function readProduct({ api }: PageServer, slug: string): Promise<Product> {
  const answer = await api(`/api/products/slug/${encodeURIComponent(slug)}`)
  if (answer.status === 200) return answer.body as Product
  throw new Response(null, { status: answer.status === 404 || answer.status === 400 ? 404 : 503 })
}

interface Priced {
  price_usd: number
  price_rub: number
  available_count: number
}

/** How many reviews search engines get. */
const toldReviews = 3

/** Describes a product's page to search engines and shared links. */
export async function productMeta(server: PageServer, product: Product, description: string, packages: Priced[]) {
  const image = new URL(toPhotograph(product.image_url), server.publicUrl).href
  const shown = product.rating && (await server.read<{ reviews: Review[] }>(`/products/slug/${product.slug}/reviews`))
  return {
    ...server.describe(product.title, description),
    image,
    structured: structuredPage(
      {
        ...structuredProduct(server, product, packages),
        image,
        ...structuredReviews(product, shown?.reviews ?? []),
      },
      structuredTrail(server, [[server.t('products.title'), paths.products]], product.title),
    ),
  }
}

/** Where links are shared nobody shows an SVG: each drawing of the store has a photograph of it. */
const toPhotograph = (picture: string): string => picture.replace(/^\/art\/([\w-]+)\.svg$/, '/art/link-pictures/$1.jpg')

/** https://schema.org/Product, with the span of prices as the page shows them: in the default currency to a visitor who chose nothing. */
function structuredProduct({ currency, rates }: PageServer, product: Product, packages: Priced[]) {
  const { shown, showPrice } = toConversion(currency, rates)
  const prices = packages.map((entry) => showPrice(entry).value)
  const isAvailable = packages.some((entry) => entry.available_count > 0)
  return {
    '@type': 'Product',
    name: product.title,
    description: product.description,
    ...(prices.length > 0 && {
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: shown,
        lowPrice: Math.min(...prices),
        highPrice: Math.max(...prices),
        offerCount: prices.length,
        availability: `https://schema.org/${isAvailable ? 'InStock' : 'OutOfStock'}`,
      },
    }),
  }
}

/** https://schema.org/AggregateRating and https://schema.org/Review, of what the page shows too. */
const structuredReviews = ({ rating }: Product, reviews: readonly Review[]) =>
  rating && {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: rating.average,
      reviewCount: rating.count,
      bestRating: 5,
      worstRating: 1,
    },
    review: reviews
      .filter(({ text }) => text !== '')
      .slice(0, toldReviews)
      .map(({ stars, text, author, created_at }) => ({
        '@type': 'Review',
        reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: 5, worstRating: 1 },
        author: { '@type': 'Person', name: author },
        datePublished: created_at.slice(0, 10),
        reviewBody: text,
      })),
  }
