import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './Logo.module.css'

/** The mark: a faceted diamond and the name of the shop. */
export function Logo() {
  const { t } = useTranslation()
  return (
    <span className={classes.logo}>
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <span className={classes.name}>{t('site.name')}</span>
    </span>
  )
}
