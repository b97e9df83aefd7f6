import type { Product } from '@olmos/contract/catalogue'
import type { PageServer } from './server-data.ts'

/** A product of the catalogue by its slug; the page is not found where there is none. */
export async function readProduct({ api }: PageServer, slug: string): Promise<Product> {
  const answer = await api(`/api/products/slug/${encodeURIComponent(slug)}`)
  if (answer.status === 200) return answer.body as Product
  throw new Response(null, { status: answer.status === 404 || answer.status === 400 ? 404 : 503 })
}

interface Priced {
  price_rub: number
  available_count: number
}

/** Describes a product's page to search engines and shared links. */
export function productMeta({ publicUrl, url }: PageServer, product: Product, description: string, packages: Priced[]) {
  return {
    title: `${product.title} · Olmos`,
    description,
    url,
    image: new URL(product.image_url, publicUrl).href,
    structured: structuredProduct(product, packages, publicUrl),
  }
}

/** https://schema.org/Product, with the span of prices in roubles. */
function structuredProduct(product: Product, packages: Priced[], publicUrl: string) {
  const prices = packages.map((entry) => entry.price_rub)
  const isAvailable = packages.some((entry) => entry.available_count > 0)
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.title,
    description: product.description,
    image: new URL(product.image_url, publicUrl).href,
    ...(prices.length > 0 && {
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: 'RUB',
        lowPrice: Math.min(...prices),
        highPrice: Math.max(...prices),
        offerCount: prices.length,
        availability: `https://schema.org/${isAvailable ? 'InStock' : 'OutOfStock'}`,
      },
    }),
  }
}
