import { type LoaderFunctionArgs, type MetaArgs, type ShouldRevalidateFunctionArgs, useLoaderData } from 'react-router'
import { pageMeta } from './page-meta.ts'
import { readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'
import { loadTopup } from './topups/load-topup.ts'
import { TopupView } from './topups/TopupView.tsx'

/** The routes of the specification's games have no parameter: each is the address of one product. */
export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const slug = new URL(server.url).pathname.split('/').at(-1) ?? ''
  return loadTopup(server, await readProduct(server, slug))
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** Another tab is the same page. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search

export default function TopupPage() {
  return <TopupView loaded={useLoaderData<typeof loader>()} />
}
