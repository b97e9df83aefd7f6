import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { queryKeys } from '../../api/query-keys.ts'
import { useActivateCode } from './topups.queries.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Activates a code, which the store answers with this, where the orders were read before; returns what is known of them. */
async function activate(answer: Response): Promise<unknown> {
  vi.stubGlobal('document', { documentElement: { lang: 'ru' } })
  vi.stubGlobal('fetch', async () => answer)
  const client = new QueryClient()
  client.setQueryData(queryKeys.orders.products('ru'), 'read before')
  let activation: ReturnType<typeof useActivateCode> | undefined
  const Activating = () => {
    activation = useActivateCode()
    return null
  }
  renderToString(
    <QueryClientProvider client={client}>
      <Activating />
    </QueryClientProvider>,
  )
  await activation?.mutateAsync({ playerID: '5123456', code: 'ABCD' }).catch(() => undefined)
  return client.getQueryData(queryKeys.orders.products('ru'))
}

test('the order of an activation is among the orders, which are read again', async () => {
  expect(await activate(Response.json({ order_id: '7ZK3M9Q2XB' }))).toBeUndefined()
})

test('a refused activation leaves the orders as they were', async () => {
  expect(await activate(Response.json({ error: { code: 'CODE_NOT_FOUND' } }, { status: 404 }))).toBe('read before')
})
