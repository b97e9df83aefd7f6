import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PayPages {
  /** Without a slash at the end. */
  url: string
  close(): Promise<void>
}

interface Paid {
  /** Where the customer is led. */
  returnUrl: string
}

/** What the buttons of a page are called. */
export const atProvider = { pay: 'Оплатить и вернуться', payAndLeave: 'Оплатить и закрыть', paid: 'Оплачено' } as const

const page = (title: string, body: string) =>
  `<!doctype html><html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1>${body}</html>`

const forms = `<form method="post"><button>${atProvider.pay}</button>
  <button name="stay" formaction="?stay">${atProvider.payAndLeave}</button></form>`

/** Starts the pages of a provider on this machine; `pay` is told the path of the page whose button was pressed. */
export async function startPayPages(title: string, pay: (path: string) => Promise<Paid>): Promise<PayPages> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider')
    const show = (status: number, body: string) =>
      void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page(title, body))
    if (request.method !== 'POST') return show(200, forms)
    try {
      const { returnUrl } = await pay(decodeURIComponent(pathname.slice(1)))
      if (searchParams.has('stay')) return show(200, `<p>${atProvider.paid}</p>`)
      return void response.writeHead(303, { location: returnUrl }).end()
    } catch (error) {
      return show(500, `<pre>${error}</pre>`)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}
