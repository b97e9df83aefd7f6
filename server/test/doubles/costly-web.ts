import { registerHooks } from 'node:module'
import type { Web } from '../../src/built-web.ts'
import { aWeb, readHtml } from '../web-double.ts'

/** As long as a page of the built web takes the processor, and as long as that page is. */
const renderMs = 15
const pageLength = 40_000

/** Replaces `openBuiltWeb` when the web is not built: empty pages, at the price of real ones. */
export async function openBuiltWeb(): Promise<Web> {
  const web = await aWeb()
  return {
    ...web,
    async render(request) {
      const { pathname } = new URL(request.url)
      const until = performance.now() + (pathname.endsWith('.data') ? renderMs / 5 : renderMs)
      while (performance.now() < until);
      const page = pathname.replace(/\.data$/, '')
      // A dash is the slug of a product that can't exist.
      const status = web.hasPage(page) && web.productAt(page) !== '-' ? 200 : 404
      return new Response(readHtml('a page '.repeat(pageLength / 7)), { status })
    },
  }
}

// Preloaded by `node --import`, it replaces the built web in the server's process.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './built-web.ts' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
})
