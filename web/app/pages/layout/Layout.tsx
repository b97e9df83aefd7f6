import { type ReactNode, Suspense } from 'react'
import { useLocation, useNavigation, useRouteLoaderData } from 'react-router'
import { SecondFactorGate } from '../../features/accounts/SecondFactorGate.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { late } from '../../ui/late.ts'
import { Toasts } from '../../ui/Toasts.tsx'
import { ConversionProvider } from './ConversionProvider.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import classes from './Layout.module.css'
import { PendingBar } from './PendingBar.tsx'
import type { StripsProps } from './Strips.tsx'

/** Most days there are none, so no page brings them along; where there are, the server has rendered them. */
const LateStrips = late(async () => (await import('./Strips.tsx')).Strips)

/** What every page stands in. */
export function Layout({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  // Who works here looks for no games and asks no support. A longer address is no page of theirs.
  const isForCustomers = !/^\/admin(?:\/[^/]*)?\/?$/i.test(pathname)
  const told = useRouteLoaderData<StripsProps>('root')
  const played = told?.played
  const banner = (isForCustomers && told?.banner) || null
  return (
    <ConversionProvider>
      <div className={classes.page}>
        <a className="skip-link" href="#main">
          {t('header.skip')}
        </a>
        <PendingBar />
        {(played || banner) && (
          <Suspense>
            <LateStrips played={played} banner={banner} />
          </Suspense>
        )}
        {/* The admin area fills a bar of its own. */}
        {isForCustomers ? <Header /> : <header id="admin-bar" />}
        <main id="main" tabIndex={-1} className={classes.main}>
          <SecondFactorGate>{children}</SecondFactorGate>
        </main>
        {isForCustomers && <Footer />}
        <PageToasts />
      </div>
    </ConversionProvider>
  )
}

/** Toasts, which go with the page they were about. */
function PageToasts() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { location: next } = useNavigation()
  const isLeaving = next !== undefined && next.pathname !== pathname
  return <Toasts closeLabel={t('header.closeToast')} page={pathname} isLeaving={isLeaving} />
}
