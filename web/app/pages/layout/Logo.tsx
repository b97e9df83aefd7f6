import { useRouteLoaderData } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { ServerValues } from '../../server-context.ts'
import classes from './Logo.module.css'

/** The shop's own logo, or the mark and its name. */
export function Logo() {
  const { t } = useTranslation()
  const { logo, icon } = useRouteLoaderData<Partial<ServerValues['shop']>>('root') ?? {}
  if (logo) {
    const { address, ...size } = logo
    return <img src={address} alt={t('site.name')} className={classes.picture} {...size} />
  }
  return (
    <span className={classes.logo}>
      <img src={icon ?? '/favicon.svg'} alt="" width={28} height={28} />
      <span className={classes.name}>{t('site.name')}</span>
    </span>
  )
}
