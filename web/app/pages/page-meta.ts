import type { Language } from '@olmos/contract/fields'
import type { MetaDescriptor } from 'react-router'

export interface PageMeta {
  /** The name of the shop. */
  site: string
  title: string
  description: string
  /** The page's address at the store, as customers see it, in the language it is asked for in. */
  url: string
  /** Those it can be read in, the shop's own first. */
  languages: readonly Language[]
  /** The address of the page's own picture. */
  image?: string
  /** The address of what is shared where it has none. */
  sharedPicture: string
  /** What the page is about, in the words of schema.org. */
  structured?: object
}

/** Where a page is read in a language; the shop's own language, the first of all, goes without saying. */
export const addressIn = (url: string, language: Language | undefined, languages: readonly Language[]): string =>
  language === languages[0] ? url : `${url}?lang=${language}`

/** Title, description and where the page lives, for search engines and shared links. */
export function pageMeta({ site, title, description, url, languages, ...about }: PageMeta): MetaDescriptor[] {
  const [bare = url] = url.split('?')
  const { image, sharedPicture, structured } = about
  // Where links are shared nobody shows an SVG.
  const picture = image && !image.endsWith('.svg') ? image : sharedPicture
  return [
    { title },
    { name: 'description', content: description },
    // Each language is a page of its own to search engines: one that named another as canonical would be dropped.
    { tagName: 'link', rel: 'canonical', href: url },
    ...languages.map((language) => ({
      tagName: 'link' as const,
      rel: 'alternate',
      hrefLang: language,
      href: addressIn(bare, language, languages),
    })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: bare },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    ...(structured ? [{ 'script:ld+json': structured as Record<string, string> }] : []),
    { property: 'og:image', content: picture },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}
