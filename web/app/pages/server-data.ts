import { firstShop } from '@olmos/contract/first-shop'
import type { TFunction } from 'i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { serverI18n } from '../i18n/server.ts'
import { type ServerValues, serverValues } from '../server-context.ts'
import { addressIn, type PageMeta } from './page-meta.ts'

export interface PageServer extends ServerValues {
  t: TFunction
  /** This page's address as customers see it, in the language it names: nothing else of the query makes another page. */
  url: string
  /** The address of another page, in the same language. */
  toUrl(path: string): string
  /** What this page says to search engines: its title, with the name of the shop, and its description. */
  describe(title: string, description: string): PageMeta
  /** The answer of one of the store's calls, or undefined when it failed. */
  read<Answer>(path: string): Promise<Answer | undefined>
}

/** Routes match in any case and with a trailing slash; search engines get one canonical address. */
const onePath = (pathname: string) => pathname.toLowerCase().replace(/(?<=.)\/+$/, '')

/** Gives a public page's loader what it works with. */
export async function pageServer({ context, url }: LoaderFunctionArgs): Promise<PageServer> {
  const values = context.get(serverValues)
  const { pathname, searchParams } = url
  const { t } = serverI18n(values.language, values.shop).current()
  const { languages } = values.shop
  const named = languages.find((language) => language === searchParams.get('lang')) ?? languages[0]
  const toUrl = (path: string) => addressIn(values.publicUrl + path, named, languages)
  const address = toUrl(onePath(pathname))
  // The picture of the store has its first name on it.
  const isRenamed = values.shop.name !== firstShop.name || values.shop.logo !== null
  return {
    ...values,
    t,
    url: address,
    toUrl,
    describe: (title, description) => ({
      site: values.shop.name,
      title: t('site.title', { title }),
      description,
      url: address,
      languages,
      sharedPicture: `${values.publicUrl}/art/${isRenamed ? 'link-pictures/anything' : 'og'}.jpg`,
    }),
    async read<Answer>(path: string) {
      const { status, body } = await values.api(`/api${path}`)
      return status === 200 ? (body as Answer) : undefined
    },
  }
}
