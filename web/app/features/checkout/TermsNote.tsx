import { Link, useRouteLoaderData } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import type { OwnPageLink } from '../../server-context.ts'
import classes from './Checkout.module.css'

/** Says what one agrees to by paying, where the shop has terms. They open beside, so that nothing chosen here is lost. */
export function TermsNote() {
  const { t } = useTranslation()
  const pages = useRouteLoaderData<{ pages: OwnPageLink[] }>('root')?.pages
  const terms = paths.page('terms')
  if (!pages?.some(({ to }) => to === terms)) return null
  const [before, link, after] = t('checkout.terms').split(/<\/?way>/)
  return (
    <p className={classes.footnote}>
      {before}
      <Link to={terms} target="_blank">
        {link}
      </Link>
      {after}
    </p>
  )
}
