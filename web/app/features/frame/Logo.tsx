import { useRouteLoaderData } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './Logo.module.css'

interface OwnMark {
  /** The owner's logo or icon. */
  mark?: { src: string; width?: number; height?: number }
  /** Whether it stands for the name as well. */
  isLogo?: boolean
}

/** The mark of the shop and its name, or its logo. */
export function Logo() {
  const { t } = useTranslation()
  const own = useRouteLoaderData<OwnMark>('root')
  return (
    <span className={classes.logo}>
      <img src="/favicon.svg" alt="" width={28} height={28} {...own?.mark} />
      <span className={own?.isLogo ? 'visually-hidden' : classes.name}>{t('site.name')}</span>
    </span>
  )
}
