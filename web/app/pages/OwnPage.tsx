import type { PageBlock, ShownPage } from '@olmos/contract/pages'
import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { OwnText } from '../features/own-pages/Blocks.tsx'
import { languageNames } from '../i18n/languages.ts'
import { Moment } from '../i18n/Moment.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { Page } from '../ui/Page.tsx'
import classes from './OwnPage.module.css'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { t, api, describe, language } = await pageServer(args)
  const { status, body } = await api(`/api/pages/${encodeURIComponent(args.params.name ?? '')}`)
  if (status !== 200) throw new Response(null, { status: status === 404 || status === 400 ? 404 : 503 })
  const { data: page } = body as { data: ShownPage }
  return { page, asked: language, meta: describe(t(`pages.${page.name}`), toDescription(page.blocks)) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

const described = 160

/** How the text begins, for search engines. */
const toDescription = (blocks: readonly PageBlock[]): string =>
  blocks
    .filter(({ kind }) => kind === 'paragraph')
    .map(({ words }) => words.map(({ text }) => text).join(''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, described)

/** A page that the owner wrote: terms, privacy and the like. */
export default function OwnPage() {
  const { t } = useTranslation()
  const { page, asked } = useLoaderData<typeof loader>()
  return (
    <Page title={t(`pages.${page.name}`)} isTall>
      {page.language !== asked && (
        <p className={classes.note}>{t('pages.otherLanguage', { language: languageNames[page.language] })}</p>
      )}
      <OwnText blocks={page.blocks} language={page.language} />
      <p className={classes.changed}>
        {t('pages.changed')} <Moment at={page.changed_at} />
      </p>
    </Page>
  )
}
