import { IconArrowBackUp, IconBell, IconLogout, IconMenu2, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { Link, useLocation, useNavigate } from 'react-router'
import { useLogOut } from '../../features/accounts/profile.queries.ts'
import { LocalePicker } from '../../features/frame/LocalePicker.tsx'
import { Logo } from '../../features/frame/Logo.tsx'
import { ThemeToggle } from '../../features/frame/ThemeToggle.tsx'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useMay, useProfile } from '../../session/profile.ts'
import { SideMenu } from '../../ui/SideMenu.tsx'
import { useOpenAlerts } from '../alerts/alerts.queries.ts'
import classes from './AdminBar.module.css'
import { BarSearch } from './BarSearch.tsx'

/** What stands above every tab, in the place the layout leaves where the store has its header. */
export function AdminBar() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const may = useMay()
  const [isSearching, setSearching] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const openSearch = () => {
    flushSync(() => setSearching(true))
    field.current?.focus()
  }
  const [menuAt, setMenuAt] = useState<string>()
  const close = () => setMenuAt(undefined)
  const canSearch = may('orders.read') || may('customers.read')
  return (
    <InHeader>
      <div className={classes.bar}>
        <Link to={paths.admin()} className={classes.mark}>
          <Logo />
          <span className="visually-hidden">{t('profile.admin')}</span>
        </Link>
        {canSearch && (
          <div className={classes.search} data-open={isSearching || undefined}>
            <BarSearch field={field} onOpen={openSearch} />
          </div>
        )}
        <div className={classes.tools}>
          {canSearch && (
            <button
              type="button"
              className={`${classes.tool} ${classes.narrowOnly}`}
              aria-label={t('admin.bar.search')}
              aria-expanded={isSearching}
              onClick={() => (isSearching ? setSearching(false) : openSearch())}
            >
              <IconSearch size={22} aria-hidden />
            </button>
          )}
          {may('alerts.write') && <Alerts />}
          <LocalePicker />
          <div className={classes.wide}>
            <ThemeToggle />
            <Account />
          </div>
          <button
            type="button"
            className={`${classes.tool} ${classes.narrowOnly}`}
            aria-label={t('admin.bar.menu')}
            aria-haspopup="dialog"
            onClick={() => setMenuAt(pathname)}
          >
            <IconMenu2 size={24} aria-hidden />
          </button>
        </div>
      </div>
      {menuAt === pathname && (
        <SideMenu title={t('admin.bar.menu')} closeLabel={t('header.closeMenu')} onClose={close}>
          <div className={classes.rows}>
            <Account />
            <ThemeToggle isRow />
          </div>
        </SideMenu>
      )}
    </InHeader>
  )
}

/** Fills the header that the layout has for the admin area, once it is there. */
function InHeader({ children }: { children: ReactNode }) {
  const [header, setHeader] = useState<Element | null>(null)
  useEffect(() => setHeader(document.getElementById('admin-bar')), [])
  return header && createPortal(children, header)
}

/** How many alerts nobody has taken on, and the way to them. */
function Alerts() {
  const { t } = useTranslation()
  const { open: count } = useOpenAlerts()
  return (
    <Link
      to={paths.admin('alerts')}
      className={classes.tool}
      aria-label={count === 0 ? t('admin.tabs.alerts') : t('admin.alerts.unseen', { count })}
    >
      <IconBell size={22} aria-hidden />
      {count > 0 && <span className={classes.count}>{gameNumber(count)}</span>}
    </Link>
  )
}

/** Who is logged in, and the ways out. */
function Account() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const logOut = useLogOut(() => navigate(paths.home))
  const nickname = useProfile().data?.nickname
  return (
    <>
      <Link to={paths.profile} className={classes.who}>
        <span className="visually-hidden">{t('admin.bar.loggedIn')} </span>
        <b translate="no">{nickname}</b>
      </Link>
      <Link to={paths.home} className={classes.way}>
        <IconArrowBackUp size={20} aria-hidden />
        {t('admin.bar.toShop')}
      </Link>
      <button type="button" className={classes.way} disabled={logOut.isPending} onClick={() => logOut.mutate()}>
        <IconLogout size={20} aria-hidden />
        {t('profile.logOut')}
      </button>
    </>
  )
}
