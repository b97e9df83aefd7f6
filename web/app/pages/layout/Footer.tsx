import { Link, useRouteLoaderData } from 'react-router'
import { MethodGlyph } from '../../features/checkout/MethodGlyph.tsx'
import { Logo } from '../../features/frame/Logo.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import type { OwnPageLink, ServerValues } from '../../server-context.ts'
import { Contacts, useContacts } from './Contacts.tsx'
import classes from './Footer.module.css'

type RootData = Pick<ServerValues, 'paymentMarks'> & { pages: OwnPageLink[] }

/** What there is, what helps, who sells, and by what one can pay: for who looks for that before buying. */
export function Footer() {
  const { t, language } = useTranslation()
  const { reply_hours } = useContacts()
  const { paymentMarks = [], pages = [] } = useRouteLoaderData<RootData>('root') ?? {}
  return (
    <footer className={classes.footer}>
      <div className={classes.content}>
        <div className={classes.column}>
          <h2>{t('footer.games')}</h2>
          <Link to={paths.products}>{t('home.all')}</Link>
          <Link to={paths.productsOf('topup')}>{t('products.topups')}</Link>
          <Link to={paths.productsOf('code')}>{t('products.codes')}</Link>
        </div>
        <div className={classes.column}>
          <h2>{t('footer.help')}</h2>
          <Link to={paths.supportAbout('ids')}>{t('support.ids')}</Link>
          <Link to={paths.supportAbout('refunds')}>{t('support.refunds')}</Link>
          <Link to={paths.support}>{t('support.title')}</Link>
          {pages.map(({ to, titles }) => (
            <Link key={to} to={to}>
              {titles[language]}
            </Link>
          ))}
        </div>
        <div className={classes.column}>
          <Logo />
          <p>{t('footer.text')}</p>
          <p>{t('support.reply', { count: reply_hours })}</p>
          <Contacts />
        </div>
        <div className={classes.column}>
          <h2>{t('footer.payment')}</h2>
          {paymentMarks.map((mark) => (
            <p key={mark} className={classes.mark}>
              <MethodGlyph mark={mark} />
              {t(`payMark.${mark}`)}
            </p>
          ))}
          <p>{t('footer.balance')}</p>
        </div>
      </div>
    </footer>
  )
}
