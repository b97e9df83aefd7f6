import { useTranslation } from './use-translation.ts'

/** Title of a page that no search engine should keep: behind the login, or about nothing. */
export function PrivateTitle({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <>
      <title>{t('site.title', { title })}</title>
      <meta name="robots" content="noindex" />
    </>
  )
}
