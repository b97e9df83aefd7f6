import type { Product } from '@olmos/contract/catalogue'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { CheckoutTopup } from '../../features/topups/checkout-topup.ts'
import type { FreefireOffer } from '../../features/topups/topups.queries.ts'
import { type Player, usePlayerCheck } from '../../features/topups/use-player-check.ts'
import { lowerCode, useCurrency } from '../../money/currency.ts'
import { Price } from '../../money/Price.tsx'
import { paths } from '../../paths.ts'
import { useLoginGate } from '../../session/use-login-gate.ts'
import { toastWarning } from '../../ui/toast.ts'
import { toNextStep } from './next-step.ts'
import { TopupBar } from './TopupBar.tsx'

interface FreefireActionProps {
  product: Product
  offer: FreefireOffer | undefined
  player: Player
  onFound(player: Player): void
}

/** Off to the checkout. Whose ID was not looked up yet is looked up now. */
export function FreefireAction({ product, offer, player, onFound }: FreefireActionProps) {
  const { t } = useTranslation()
  const currency = lowerCode(useCurrency())
  const requireLogin = useLoginGate()
  const navigate = useNavigate()
  const { find, isFinding } = usePlayerCheck('freefire', t('topups.failed'))

  const nextStep = toNextStep(offer !== undefined, player)

  const press = () => {
    if (!requireLogin(t('topups.loginRequired'))) return
    if (!offer || player.playerId === '') return toastWarning(t('topups.freefire.chooseOffer'))
    const proceed = (found: Player) => navigate(paths.checkout, { state: toCheckout(product, offer, found, currency) })
    if (player.playerName !== '') return proceed(player)
    find(player.playerId, (found) => {
      onFound(found)
      proceed(found)
    })
  }

  return (
    <TopupBar
      total={<Price usd={offer?.price ?? 0} rub={offer?.price_rub ?? 0} size="lg" />}
      label={t('topups.topUpNow')}
      isBusy={isFinding}
      missing={nextStep && t(nextStep)}
      onPress={press}
    />
  )
}

const toCheckout = (
  product: Product,
  offer: FreefireOffer,
  player: Player,
  currency: 'usd' | 'rub',
): CheckoutTopup => ({
  title: product.title,
  playerName: player.playerName,
  topupData: {
    service: 'freefire',
    login: '',
    player_id: player.playerId,
    offer_id: offer.item_id,
    offer_name: offer.name,
    price_usd: offer.price,
    price_rub: offer.price_rub,
    input_currency: currency,
    currency,
    commission: 0,
    image_url: product.image_url,
  },
})
