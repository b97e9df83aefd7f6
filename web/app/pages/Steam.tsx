import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, type MetaArgs, useLoaderData, useLocation, useNavigate } from 'react-router'
import { useDraft } from '../features/topups/draft.ts'
import { SteamAmount } from '../features/topups/SteamAmount.tsx'
import { SteamLogin } from '../features/topups/SteamLogin.tsx'
import { SteamNotes } from '../features/topups/SteamNotes.tsx'
import { type SteamWish, useSteamCalculation } from '../features/topups/steam.queries.ts'
import { useSteamToasts } from '../features/topups/use-steam-toasts.ts'
import { useCurrency } from '../money/currency.ts'
import { paths } from '../paths.ts'
import { Step } from '../ui/Step.tsx'
import { pageMeta } from './page-meta.ts'
import { ProductFrame } from './product/ProductFrame.tsx'
import { productMeta, readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'
import { SteamAction } from './topups/SteamAction.tsx'
import { SteamSummary } from './topups/SteamSummary.tsx'

export async function loader(args: LoaderFunctionArgs) {
  const server = await pageServer(args)
  const product = await readProduct(server, 'steam')
  const description = server.t('topups.byLogin', { title: product.title, description: product.description })
  return { product, meta: productMeta(server, product, description, []) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

type SteamDraft = Pick<SteamWish, 'inputCurrency'> & { login: string; amount: string }
const empty: SteamDraft = { login: '', amount: '', inputCurrency: 'rub' }

export default function Steam() {
  const { t } = useTranslation()
  const { product } = useLoaderData<typeof loader>()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const currency = useCurrency()
  const [draft, change] = useDraft('steam', empty)
  const wish = { amount: Number(draft.amount), inputCurrency: draft.inputCurrency }
  const calculation = useSteamCalculation(wish, currency)
  useSteamToasts(calculation.error, () => navigate(paths.login, { state: { from: pathname + search } }))

  return (
    <ProductFrame
      product={product}
      summary={<SteamSummary login={draft.login} wish={wish} calculation={calculation} />}
      action={<SteamAction product={product} login={draft.login} wish={wish} calculation={calculation} />}
    >
      <Step number={1} title={t('topups.whoGetsIt')}>
        <SteamLogin value={draft.login} onChange={(login) => change({ login })} />
      </Step>
      <Step number={2} title={t('topups.steam.howMuch')}>
        <SteamAmount
          value={draft.amount}
          currency={draft.inputCurrency}
          onChange={(amount) => change({ amount })}
          onCurrency={(inputCurrency) => change({ inputCurrency })}
        />
      </Step>
      <SteamNotes />
    </ProductFrame>
  )
}
