import { fileURLToPath } from 'node:url'
import type { PageValues, Web } from '../src/built-web.ts'
import { readPage, renderedPage } from '../src/platform/http/rendered-page.ts'

export interface WebDouble extends Web {
  /** The addresses it was asked to render, in order. */
  asked: URL[]
  /** What a page shows besides its address; a test may read from the store, fail, or answer something else. */
  page(address: URL, values: PageValues): Promise<Response | string>
}

/** Makes a complete HTML document, like the pages of the web. */
export const readHtml = (text: string) => `<!DOCTYPE html><html><body>${text}</body></html>`

const pages = /^\/(?:products(?:\/[^/.]+)?|pages\/[^/.]+|login|register|support|cart)?\/?$/i

/** Makes a web that shows what the test says. */
export function aWeb(): WebDouble {
  let renders = 0
  const respond = async (asked: string, values: PageValues): Promise<Response> => {
    const address = new URL(asked)
    web.asked.push(address)
    const isMissing = !web.hasPage(address.pathname.replace(/\.data$/, ''))
    const page = isMissing ? `no such page in ${values.language}` : await web.page(address, values)
    if (page instanceof Response) return page
    // No two renders are alike, because each has its nonce.
    return new Response(readHtml(`${page} (${++renders})`), { status: isMissing ? 404 : 200 })
  }
  const web: WebDouble = {
    files: fileURLToPath(new URL('doubles/plain-web/', import.meta.url)),
    asked: [],
    hasPage: (path) => pages.test(path) || path === '/offline.html',
    productAt: (path) => /^\/products\/([^/.]+)$/.exec(path)?.[1],
    page: async (address, { language }) => `${address.pathname}${address.search} in ${language}`,
    async renderPage(address, values) {
      const answer = await respond(address, values)
      return renderedPage(readPage(answer.status, await answer.text(), values.nonce))
    },
    async renderData(address, values) {
      const answer = await respond(address, values)
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
    },
    close: async () => {},
  }
  return web
}
