import { useRouteLoaderData } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './Logo.module.css'

interface OwnLook {
  logo?: { src: string; width: number; height: number }
  /** The address of the icon. */
  icon?: string
}

/** The shop's own logo, or the mark and its name. */
export function Logo() {
  const { t } = useTranslation()
  const own = useRouteLoaderData<OwnLook>('root')
  const name = t('site.name')
  if (own?.logo) return <img {...own.logo} alt={name} className={classes.picture} />
  return (
    <span className={classes.logo}>
      <img src={own?.icon ?? '/favicon.svg'} alt="" width={28} height={28} />
      <span className={classes.name}>{name}</span>
    </span>
  )
}
