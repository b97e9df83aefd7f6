import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Logo } from '../../ui/Logo.tsx'
import classes from './Footer.module.css'

export function Footer() {
  const { t } = useTranslation()
  return (
    <footer className={classes.footer}>
      <div className={classes.content}>
        <div>
          <Logo />
          <p className={classes.text}>{t('footer.text')}</p>
        </div>
        <div className={classes.links}>
          <Link to={paths.products}>{t('products.title')}</Link>
          <Link to={paths.support}>{t('support.title')}</Link>
        </div>
      </div>
    </footer>
  )
}
