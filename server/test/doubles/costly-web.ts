import { registerHooks } from 'node:module'
import type { Web } from '../../src/built-web.ts'
import { readPage, renderedPage } from '../../src/platform/http/rendered-page.ts'
import { aWeb, readHtml } from '../web-double.ts'

/** As long as a page of the built web takes the processor, and as long as that page is. */
const renderMs = 15
const pageLength = 40_000

/** Replaces `openBuiltWeb` when the web is not built: empty pages, at the price of real ones. */
export async function openBuiltWeb(): Promise<Web> {
  const web = aWeb()
  const html = readHtml('a page '.repeat(pageLength / 7))
  const spend = (ms: number) => {
    const until = performance.now() + ms
    while (performance.now() < until);
  }
  return {
    ...web,
    async renderPage(address, { nonce }) {
      spend(renderMs)
      const { pathname } = new URL(address)
      // A dash is the slug of a product that can't exist.
      const isPage = web.hasPage(pathname) && web.productAt(pathname) !== '-'
      return renderedPage(readPage(isPage ? 200 : 404, html, nonce))
    },
    async renderData(address, values) {
      spend(renderMs / 5)
      return web.renderData(address, values)
    },
  }
}

// Preloaded by `node --import`, it replaces the built web in the server's process.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './built-web.ts' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
})
