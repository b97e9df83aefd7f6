import type { Endpoint } from '@olmos/contract/endpoint'
import type { Sample } from './access-lines.ts'
import type { Answer, TestShop } from './shop.ts'

/** Fills the sample's parameters and query into the path. */
export function toPath(endpoint: Pick<Endpoint, 'path'>, { params = {}, query = {} }: Sample): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}

export const send = (shop: TestShop, endpoint: Endpoint, sample: Sample, token?: string): Promise<Answer> =>
  shop.call(endpoint.method, toPath(endpoint, sample), {
    ...(token !== undefined && { token }),
    ...(sample.body !== undefined && { body: sample.body }),
    ...(sample.headers && { headers: sample.headers }),
  })
