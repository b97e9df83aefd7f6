/** What advertisements, mailings and messengers add to the links that lead to the shop. No page is another because of them. */
const addedByOthers = /^(?:utm_\w+|gclid|fbclid|yclid|ysclid|_openstat)$/i

/**
 * Pages that show nothing but the catalogue, for which a rendered page serves everybody. Any other query is not kept:
 * there are as many as somebody cares to make up.
 */
const publicPage = /^\/(?:products(?:\/[^/?]+)?|login|register|support)?\/?(?:\?lang=(?:ru|en|uz))?$/i

/** The path and query that a page is rendered for, without what others added to it. */
export function pageAddress(url: string): string {
  const [path = '', ...queries] = url.split('?')
  const kept = queries
    .join('?')
    .split('&')
    .filter((pair) => pair !== '' && !addedByOthers.test(pair.split('=', 1).join()))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** Whether everybody of one language, currency and theme sees the same at this address. */
export const isForEverybody = (address: string): boolean => publicPage.test(address)
