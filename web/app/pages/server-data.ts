import type { LoaderFunctionArgs } from 'react-router'
import { serverI18n } from '../i18n/server.ts'
import { type ServerValues, serverValues } from '../server-context.ts'

export interface PageServer extends ServerValues {
  t: Awaited<ReturnType<typeof serverI18n>>['t']
  /** This page's address as customers see it, without the query. */
  url: string
  /** The answer of one of the store's calls, or undefined when it failed. */
  read<Answer>(path: string): Promise<Answer | undefined>
}

/** Routes match in any case and with a slash at the end; search engines are told of one address. */
const onePath = (pathname: string) => pathname.toLowerCase().replace(/(?<=.)\/+$/, '')

/** What a public page's loader works with. */
export async function pageServer({ context, request }: LoaderFunctionArgs): Promise<PageServer> {
  const values = context.get(serverValues)
  const { t } = await serverI18n(values.language)
  return {
    ...values,
    t,
    url: values.publicUrl + onePath(new URL(request.url).pathname),
    async read<Answer>(path: string) {
      const { status, body } = await values.api(`/api${path}`)
      return status === 200 ? (body as Answer) : undefined
    },
  }
}
