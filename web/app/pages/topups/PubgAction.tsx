import type { Product } from '@olmos/contract/catalogue'
import { offerIds } from '@olmos/contract/offer-ids'
import type { PackageCount } from '@olmos/contract/uc-combination'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { CheckoutTopup } from '../../features/topups/checkout-topup.ts'
import type { UcOffer } from '../../features/topups/topups.queries.ts'
import { sumUc } from '../../features/topups/uc-selection.ts'
import type { Player } from '../../features/topups/use-player-check.ts'
import { lowerCode, useCurrency } from '../../money/currency.ts'
import { gameNumber } from '../../money/game-number.ts'
import { Price } from '../../money/Price.tsx'
import { paths } from '../../paths.ts'
import { useLoginGate } from '../../session/use-login-gate.ts'
import { toastWarning } from '../../ui/toast.ts'
import { toNextStep } from './next-step.ts'
import { TopupBar } from './TopupBar.tsx'

interface PubgActionProps {
  product: Product
  chosen: readonly PackageCount<UcOffer>[]
  player: Player
}

/** Off to the checkout, for a player that was found. */
export function PubgAction({ product, chosen, player }: PubgActionProps) {
  const { t } = useTranslation()
  const currency = lowerCode(useCurrency())
  const requireLogin = useLoginGate()
  const navigate = useNavigate()
  const total = sumUc(chosen)
  const nextStep = toNextStep(chosen.length > 0, player)
  const isFilled = chosen.length > 0 && player.playerId !== ''

  const press = () => {
    if (!requireLogin(t('topups.loginRequired'))) return
    if (!isFilled || player.playerName === '') return toastWarning(t('topups.pubg.chooseAndVerify'))
    const state: CheckoutTopup = {
      title: product.title,
      playerName: player.playerName,
      topupData: {
        service: 'pubg',
        login: '',
        player_id: player.playerId,
        offer_id: offerIds.ucCombination,
        denominations: chosen.map(({ package: { id }, quantity }) => ({ denomination_id: id, quantity })),
        offer_name: `${gameNumber(total.uc)} UC`,
        price_usd: total.usd,
        price_rub: total.rub,
        input_currency: currency,
        currency,
        commission: 0,
        image_url: product.image_url,
      },
    }
    navigate(paths.checkout, { state })
  }

  return (
    <TopupBar
      total={<Price usd={total.usd} rub={total.rub} size="lg" />}
      label={t('topups.topUpNow')}
      isDisabled={!isFilled}
      missing={nextStep && t(nextStep)}
      onPress={press}
    />
  )
}
