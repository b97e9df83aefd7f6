import { Button, Loader, SimpleGrid, Text, Title } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import { IconClock, IconMapPin } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, type MetaArgs, useLoaderData, useLocation, useNavigate } from 'react-router'
import { useDraft } from '../features/topups/draft.ts'
import { SteamAmount } from '../features/topups/SteamAmount.tsx'
import { SteamLogin } from '../features/topups/SteamLogin.tsx'
import { type SteamWish, useSteamCalculation } from '../features/topups/steam.queries.ts'
import { calculationFailure, calculationText, useSteamToasts } from '../features/topups/use-steam-toasts.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { Amount } from '../money/Amount.tsx'
import { useCurrency } from '../money/currency.ts'
import { formatSteamAmount } from '../money/steam-amount.ts'
import { paths } from '../paths.ts'
import { Step } from '../ui/Step.tsx'
import { Surface } from '../ui/Surface.tsx'
import { pageMeta } from './page-meta.ts'
import { ProductFrame } from './product/ProductFrame.tsx'
import { productMeta, readProduct } from './product-meta.ts'
import { pageServer } from './server-data.ts'
import { SteamAction } from './topups/SteamAction.tsx'
import { SummaryAccount, SummaryLine, TopupSummary } from './topups/TopupSummary.tsx'

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

interface SteamSummaryProps {
  login: string
  wish: SteamWish
  calculation: ReturnType<typeof useSteamCalculation>
}

/** What arrives, what is deducted from the balance, and how much of that is commission. */
function SteamSummary({ login, wish, calculation }: SteamSummaryProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const { shown, isBusy, error } = calculation
  const failure = error && calculationFailure(error)
  return (
    <TopupSummary>
      <SummaryAccount account={login} />
      {wish.amount > 0 ? (
        <SummaryLine name={t('topups.steam.arrives')}>
          {formatSteamAmount(wish.amount, wish.inputCurrency, language)}
        </SummaryLine>
      ) : (
        <Text c="dimmed">{t('topups.steam.enterAmount')}</Text>
      )}
      {shown && (
        <>
          <SummaryLine name={t('topups.steam.deducted')}>
            <Amount value={shown.amountInUserCurrency} currency={currency} />
          </SummaryLine>
          <SummaryLine name={t('topups.steam.commission')}>
            <Amount value={shown.commission} currency="USD" />
          </SummaryLine>
        </>
      )}
      <div role="status">
        {isBusy && (
          <SummaryLine name={t('topups.steam.calculating')}>
            <Loader size={18} aria-hidden />
          </SummaryLine>
        )}
      </div>
      {failure && (
        <Text size="sm" c={failure === 'loginToCalculate' ? 'var(--olmos-wait)' : 'var(--olmos-bad)'}>
          {calculationText(t, language, error)}
        </Text>
      )}
      {failure === 'calculateFailed' && (
        <Button size="compact-md" variant="default" onClick={() => calculation.retry()}>
          {t('loading.retry')}
        </Button>
      )}
    </TopupSummary>
  )
}

/** When the money arrives, and where it can't. */
function SteamNotes() {
  const { t } = useTranslation()
  const notes = [
    {
      icon: IconClock,
      title: t('topups.steam.timing'),
      text: t('topups.steam.timingText', { count: BUSINESS.topupMinutes }),
    },
    { icon: IconMapPin, title: t('topups.steam.regions'), text: t('topups.steam.regionsText') },
  ]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {notes.map(({ icon: Icon, title, text }) => (
        <Surface key={title}>
          <Icon size={24} color="var(--mantine-color-anchor)" aria-hidden />
          <Title order={3} size="h5" mt={4}>
            {title}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {text}
          </Text>
        </Surface>
      ))}
    </SimpleGrid>
  )
}
