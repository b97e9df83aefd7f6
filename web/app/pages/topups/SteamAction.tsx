import { Text } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import { offerIds } from '@olmos/contract/offer-ids'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { CheckoutTopup } from '../../features/topups/checkout-topup.ts'
import { useKeptAccounts } from '../../features/topups/kept-accounts.ts'
import {
  type SteamPrices,
  type SteamWish,
  usePrepareSteam,
  type useSteamCalculation,
} from '../../features/topups/steam.queries.ts'
import { isLogin } from '../../features/topups/steam-login.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { Amount } from '../../money/Amount.tsx'
import { lowerCode, useCurrency } from '../../money/currency.ts'
import { formatSteamAmount, toLeast } from '../../money/steam-amount.ts'
import { paths } from '../../paths.ts'
import { useIsLoggedIn } from '../../session/session.ts'
import { useLoginGate } from '../../session/use-login-gate.ts'
import { toastError, toastWarning } from '../../ui/toast.ts'
import { TopupBar } from './TopupBar.tsx'

interface SteamActionProps {
  product: Product
  login: string
  wish: SteamWish
  calculation: ReturnType<typeof useSteamCalculation>
}

/** Off to the checkout with the price in both currencies; to log in first, for whom that is still to be done. */
export function SteamAction({ product, login, wish, calculation }: SteamActionProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const isVisitor = useIsLoggedIn() === false
  const requireLogin = useLoginGate()
  const navigate = useNavigate()
  const { keep } = useKeptAccounts('steam')
  const prepare = usePrepareSteam()
  const isFilled = isLogin(login) && wish.amount >= toLeast(wish.inputCurrency)
  const isReady = isFilled && calculation.isCurrent

  const toCheckout = ({ prices, commission }: SteamPrices): CheckoutTopup => ({
    title: product.title,
    playerName: '',
    topupData: {
      service: 'steam',
      login,
      player_id: login,
      offer_id: offerIds.steamAmount,
      offer_name: formatSteamAmount(wish.amount, wish.inputCurrency, language),
      price_usd: prices.USD,
      price_rub: prices.RUB,
      input_currency: wish.inputCurrency,
      amount: wish.amount,
      currency: lowerCode(currency),
      user_balance_currency: lowerCode(currency),
      commission,
      image_url: product.image_url,
    },
  })

  const press = () => {
    if (!requireLogin(t('topups.steam.loginToBuy'))) return
    if (!isReady) return toastWarning(t('topups.steam.enterLoginAndAmount'))
    prepare.mutate(
      { wish, paidIn: currency },
      {
        onSuccess: (prices) => {
          keep({ id: login, name: '' })
          navigate(paths.checkout, { state: toCheckout(prices) })
        },
        onError: () => toastError(t('topups.steam.preparationFailed')),
      },
    )
  }

  return (
    <TopupBar
      total={
        <Text fw={700} size="lg">
          <Amount value={calculation.shown?.amountInUserCurrency} currency={currency} />
        </Text>
      }
      label={t(isVisitor ? 'topups.steam.loginToContinue' : 'topups.topUpNow')}
      isBusy={prepare.isPending}
      isDisabled={!isVisitor && !isReady}
      missing={isFilled ? undefined : t('topups.steam.enterLoginAndAmount')}
      onPress={press}
    />
  )
}
