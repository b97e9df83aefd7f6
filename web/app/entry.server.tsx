import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ShownShop } from '@olmos/contract/shop'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { serverI18n } from './i18n/server.ts'
import { textFiles } from './i18n/text-files.ts'
import { ownWordsBlock } from './i18n/translate.ts'
import { I18nContext } from './i18n/use-translation.ts'
import { serverValues } from './server-context.ts'
import { startPage } from './start-page.ts'
import { NonceContext } from './theme/nonce.ts'
import { withLook } from './theme/own-look.ts'

export { makeContext } from './server-context.ts'

/** The whole page at once: public pages are kept and served again, so there is nothing to stream. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, language, colorScheme, shop } = loadContext.get(serverValues)
  const i18n = serverI18n(language, shop)
  const { t } = i18n.current()
  headers.set('content-type', 'text/html; charset=utf-8')

  return new Promise((resolve, reject) => {
    let finalStatus = status
    const { pipe } = renderToPipeableStream(
      <I18nContext value={i18n}>
        <NonceContext value={nonce}>
          <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
        </NonceContext>
      </I18nContext>,
      {
        nonce,
        onAllReady() {
          const body = new PassThrough()
          pipe(body)
          const hasAll = entryContext.staticHandlerContext.matches.some(({ route }) => route.id === wholePage)
          const texts = (hasAll ? ['first', 'rest'] : ['first']).map((part) => textFiles[`${language}?${part}`])
          const finish = (html: string) => {
            const dressed = withLook(withOwnWords(withTexts(html, texts), shop, nonce), shop, { colorScheme, nonce })
            return withStart(dressed, nonce, { failed: t('start.failed'), reload: t('start.reload') })
          }
          text(body).then((html) => resolve(new Response(finish(html), { headers, status: finalStatus })), reject)
        },
        onShellError: reject,
        onError(error) {
          finalStatus = 500
          console.error(error)
        },
      },
    )
  })
}

/** The layout of the pages that need all texts. */
const wholePage = 'pages/layout/WholePage'

/** Has the page ask for its texts before its scripts, which would ask for them last of all. */
const withTexts = (html: string, files: readonly (string | undefined)[]) =>
  html.replace(
    '<link rel="modulepreload"',
    (scripts) => files.map((file) => file && `<link rel="later" href="${file}">`).join('') + scripts,
  )

/** Gives the page the owner's words it was rendered with: the browser renders it with the same. */
const withOwnWords = (html: string, { name, texts }: ShownShop, nonce: string) =>
  html.replace('<link', (link) => {
    const words = JSON.stringify({ name, texts }).replaceAll('<', '\\u003c')
    return `<script type="application/json" id="${ownWordsBlock}" nonce="${nonce}">${words}</script>${link}`
  })

/**
 * The first paint needs no script: they are kept back until the page asks for them itself. What does that
 * stands before the stylesheets, which it would have to wait for, and so before there is anything to type into.
 */
const withStart = (html: string, nonce: string, texts: Parameters<typeof startPage>[0]) =>
  html
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace(' type="module" async=""', ' type="later"')
    .replace('<link', (link) => `<script nonce="${nonce}">(${startPage})(${JSON.stringify(texts)})</script>${link}`)
