import './theme/mantine.css'
import './theme/variables.css'
import '@fontsource-variable/onest'
import './theme/fonts/fonts.css'
import './theme/theme.css'
import { useWindowEvent } from '@mantine/hooks'
import type { Language } from '@olmos/contract/fields'
import type { ChargeCurrency } from '@olmos/contract/money'
import { toSmallPicture } from '@olmos/contract/picture-address'
import type { Picture } from '@olmos/contract/pictures'
import { QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect, useState } from 'react'
import {
  isRouteErrorResponse,
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  useNavigate,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { createQueryClient } from './api/query-client.ts'
import { passwordChangeEvent } from './api/questions.ts'
import { sessionLostEvent, tokenKey } from './api/token.ts'
import { HydrationMark } from './hydration.ts'
import { defaultLanguage } from './i18n/languages.ts'
import { serverI18n } from './i18n/server.ts'
import type { TextKey } from './i18n/texts.ts'
import { useOfflinePage } from './i18n/use-offline-page.ts'
import { useStoredLanguage } from './i18n/use-stored-language.ts'
import { setServerCurrency } from './money/currency.ts'
import { ErrorScreen } from './pages/ErrorScreen.tsx'
import { Layout as PageLayout } from './pages/layout/Layout.tsx'
import { ScrollPosition } from './pages/layout/ScrollPosition.tsx'
import { NotFound } from './pages/NotFound.tsx'
import { paths } from './paths.ts'
import { type OwnPageLink, serverValues, type TextInEach } from './server-context.ts'
import cyrillic from './theme/fonts/onest-cyrillic.woff2?url'
import latin from './theme/fonts/onest-latin.woff2?url'
import currencySigns from './theme/fonts/onest-latin-ext.woff2?url'
import { useNonce } from './theme/nonce.ts'
import { useStoredColorScheme } from './ui/color-scheme.ts'

const toPreload = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href }) as const

/** Those whose signs are in a font of their own (`studio/fonts/cut-fonts.mjs`). */
const currenciesOfSigns: ChargeCurrency[] = ['RUB', 'KZT']

export const links = () => [...[latin, cyrillic].map(toPreload), { rel: 'manifest', href: '/manifest.webmanifest' }]

/** How high a logo stands in the header. */
const logoHeight = 32

const toMark = ({ address, width, height }: Picture) => ({
  src: address,
  width: Math.round((width / height) * logoHeight),
  height: logoHeight,
})

export function loader({ context }: LoaderFunctionArgs) {
  const { language, currency, currencies, rates, paymentMarks, colorScheme, publicUrl, openSandbox, shop } =
    context.get(serverValues)
  const { messenger_url, email, phone, working_hours, reply_hours, logo, icon } = shop
  const contacts = { messenger_url, email, phone, working_hours, reply_hours }
  // What few shops have goes along in every language, instead of in the texts of every page.
  const inEach = (key: TextKey): TextInEach => {
    const textIn = (one: Language): string => serverI18n(one, shop).current().t(key)
    return { ru: textIn('ru'), en: textIn('en'), uz: textIn('uz') }
  }
  const pages = shop.pages.map((name): OwnPageLink => ({ to: paths.page(name), titles: inEach(`pages.${name}`) }))
  const played = openSandbox && { label: inEach('openSandbox.label'), text: inEach(`openSandbox.${openSandbox}`) }
  const {
    banners: [banner = null],
    languages,
  } = shop
  const mark = logo ? toMark(logo) : icon ? { src: toSmallPicture(icon) } : undefined
  const look = { ...(mark && { mark }), ...(logo && { isLogo: true }) }
  return {
    language,
    currency,
    currencies,
    rates,
    paymentMarks,
    colorScheme,
    publicUrl,
    played,
    contacts,
    pages,
    banner,
    languages,
    ...look,
  }
}

/** The language, currency and theme change in the browser; the document is not asked for again because of them. */
export const shouldRevalidate = () => false

export function Layout({ children }: { children: ReactNode }) {
  const values = useRouteLoaderData<typeof loader>('root')
  const nonce = useNonce()
  return (
    // The browser may know better which language and which theme it is. The server adds the look of the shop to the head.
    <html
      lang={values?.language ?? defaultLanguage}
      data-mantine-color-scheme={values?.colorScheme ?? 'dark'}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {/* Fetched with the first price, the sign would have the whole page laid out and painted once more. */}
        {values && currenciesOfSigns.includes(values.currency) && <link nonce={nonce} {...toPreload(currencySigns)} />}
        <Links nonce={nonce} />
      </head>
      <body>
        {children}
        <ScrollPosition nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

export default function Root() {
  const [queryClient] = useState(createQueryClient)
  useLeaveWhenSessionIsLost(queryClient)
  useResetOnOtherSession(queryClient)
  useLeaveForNewPassword()
  useStoredLanguage()
  useStoredColorScheme()
  useEffect(setServerCurrency, [])
  useOfflinePage()
  return (
    <QueryClientProvider client={queryClient}>
      <PageLayout>
        <Outlet />
      </PageLayout>
      <HydrationMark />
    </QueryClientProvider>
  )
}

function useLeaveWhenSessionIsLost(queryClient: ReturnType<typeof createQueryClient>): void {
  const navigate = useNavigate()
  useWindowEvent(sessionLostEvent, () => {
    queryClient.clear()
    const from = window.location.pathname + window.location.search
    navigate(paths.login, { state: { from } })
  })
}

/** Sends a user who logged in with a password set by an admin to choose another one, and back here. */
function useLeaveForNewPassword(): void {
  const navigate = useNavigate()
  useWindowEvent(passwordChangeEvent, () => {
    const { pathname, search } = window.location
    // Who is just logging in is led there by the login page, which knows where to come back to.
    if (pathname === paths.newPassword || pathname === paths.login) return
    navigate(paths.newPassword, { replace: true, state: { from: pathname + search } })
  })
}

/** Resets all queries when another tab logs out or in as somebody else: what this page knows is not theirs. */
function useResetOnOtherSession(queryClient: ReturnType<typeof createQueryClient>): void {
  useWindowEvent('storage', ({ key, oldValue, newValue }) => {
    // Nothing is reset when the same user logs in again.
    const isNewSession = key === tokenKey && (oldValue === null || newValue === null)
    // Without a key the whole storage was cleared.
    if (isNewSession || key === 'userId' || key === null) queryClient.resetQueries()
  })
}

/**
 * Stands without the header and without what pages share: one of them may be what broke. Only a page that is not there
 * has them around it, and does without when they break as well.
 */
export function ErrorBoundary() {
  const error = useRouteError()
  useEffect(() => {
    window.dispatchEvent(new CustomEvent('loadfailed', { detail: error }))
  }, [error])
  const Shown = isRouteErrorResponse(error) && error.status === 404 ? MissingOrPlain : PlainError
  return (
    <>
      <Shown />
      <HydrationMark />
    </>
  )
}

const PlainError = () => (
  <main>
    <ErrorScreen />
  </main>
)

class OrPlainError extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <PlainError /> : this.props.children
  }
}

const MissingOrPlain = () => (
  <OrPlainError>
    <MissingPage />
  </OrPlainError>
)

function MissingPage() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <PageLayout>
        <NotFound />
      </PageLayout>
    </QueryClientProvider>
  )
}
