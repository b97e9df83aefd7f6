import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageValues, Web } from '../src/built-web.ts'

export interface WebDouble extends Web {
  /** The requests it received, in order. */
  asked: { method: string; address: string; headers: string[] }[]
  /** What a page shows besides its address; a test may read from the store, fail, or answer something else. */
  page(address: URL, values: PageValues): Promise<Response | string>
}

/** Makes a complete HTML document, like the pages of the web. */
export const readHtml = (text: string) => `<!DOCTYPE html><html><body>${text}</body></html>`

const pages = /^\/(?:products(?:\/[^/.]+)?|login|register|support|cart)?\/?$/i

/** Makes a web that shows what the test says, and answers HEAD without a body, as React Router does. */
export async function aWeb(): Promise<WebDouble> {
  const files = `${await mkdtemp(join(tmpdir(), 'olmos-web-'))}/`
  await writeFile(`${files}robot.svg`, '<svg xmlns="http://www.w3.org/2000/svg"/>')
  let renders = 0
  const web: WebDouble = {
    files,
    asked: [],
    hasPage: (path) => pages.test(path) || path === '/offline.html',
    productAt: (path) => /^\/products\/([^/.]+)$/.exec(path)?.[1],
    page: async (address, { language }) => `${address.pathname}${address.search} in ${language}`,
    async render(request, values) {
      web.asked.push({ method: request.method, address: request.url, headers: [...request.headers.keys()] })
      const address = new URL(request.url)
      const isMissing = !web.hasPage(address.pathname.replace(/\.data$/, ''))
      const page = isMissing ? `no such page in ${values.language}` : await web.page(address, values)
      if (page instanceof Response) return page
      // No two renders are alike, because each has its nonce.
      const html = readHtml(`${page} (${++renders})`)
      return new Response(request.method === 'HEAD' ? null : html, { status: isMissing ? 404 : 200 })
    },
  }
  return web
}
