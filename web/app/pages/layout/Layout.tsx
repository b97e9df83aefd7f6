import type { ShownBanner } from '@olmos/contract/front'
import { type ReactNode, Suspense } from 'react'
import { useLocation, useNavigation, useRouteLoaderData } from 'react-router'
import { SecondFactorGate } from '../../features/accounts/SecondFactorGate.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import type { TextInEach } from '../../server-context.ts'
import { late } from '../../ui/late.ts'
import { Toasts } from '../../ui/Toasts.tsx'
import { ConversionProvider } from './ConversionProvider.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import classes from './Layout.module.css'
import { PendingBar } from './PendingBar.tsx'

/** Most days there is none, so no page brings it along; where there is one, the server has rendered it. */
const LateBanner = late(async () => (await import('./Banner.tsx')).Banner)

/** What every page stands in. */
export function Layout({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const banner = useRouteLoaderData<{ banner: ShownBanner | null }>('root')?.banner
  // Who works here looks for no games and asks no support.
  const isForCustomers = !pathname.toLowerCase().startsWith(paths.admin())
  return (
    <ConversionProvider>
      <div className={classes.page}>
        <a className="skip-link" href="#main">
          {t('header.skip')}
        </a>
        <PendingBar />
        <OpenSandbox />
        {isForCustomers && banner && (
          <Suspense>
            <LateBanner banner={banner} />
          </Suspense>
        )}
        <Header />
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

/** Comes with the page from the server: nobody sees the shop without it, and nothing moves when scripts are there. */
function OpenSandbox() {
  const { language } = useTranslation()
  const played = useRouteLoaderData<{ played?: { label: TextInEach; text: TextInEach } }>('root')?.played
  if (!played) return null
  return (
    <aside aria-label={played.label[language]} className={classes.openSandbox}>
      {played.text[language]}
    </aside>
  )
}
