import { paths } from '../paths.ts'
import type { PageServer } from './server-data.ts'

/*
 * What a page says to search engines in the words of https://schema.org: nothing that it does not show as well.
 */

/** Puts the parts of a page into one script. */
export const structuredPage = (...parts: readonly object[]): object => ({
  '@context': 'https://schema.org',
  '@graph': parts,
})

/** https://schema.org/Organization: who the shop is. */
export function structuredShop({ shop, publicUrl }: PageServer): object {
  const { name, email, phone, messenger_url: messenger, logo } = shop
  return {
    '@type': 'Organization',
    '@id': `${publicUrl}/#shop`,
    name,
    url: `${publicUrl}/`,
    logo: new URL(logo?.address ?? '/icon-512.png', publicUrl).href,
    ...(email !== null && { email }),
    ...(phone !== null && { telephone: phone }),
    ...(messenger !== null && { sameAs: [messenger] }),
  }
}

/** https://schema.org/WebSite with the search of the catalogue. */
export const structuredSite = ({ shop, publicUrl, language }: PageServer): object => ({
  '@type': 'WebSite',
  name: shop.name,
  url: `${publicUrl}/`,
  inLanguage: language,
  publisher: { '@id': `${publicUrl}/#shop` },
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${publicUrl}${paths.products}?search={text}` },
    'query-input': 'required name=text',
  },
})

/** https://schema.org/BreadcrumbList: the pages above this one, from the home page on, and this one. */
export function structuredTrail(
  server: PageServer,
  above: readonly (readonly [string, string])[],
  name: string,
): object {
  const steps = [[server.shop.name, paths.home] as const, ...above].map(([step, path]) => [step, server.toUrl(path)])
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [...steps, [name, server.url]].map(([step, item], at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: step,
      item,
    })),
  }
}
