import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { PackageEntry, Product } from '@olmos/contract/catalogue'
import { LIMITS } from '@olmos/contract/limits'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureText } from '../../api/failure-text.ts'
import { useAddToCart } from '../../features/cart/cart.queries.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { Price } from '../../money/Price.tsx'
import { paths } from '../../paths.ts'
import { useLoginGate } from '../../session/use-login-gate.ts'
import { noticeError, noticeSuccess } from '../../ui/notice.ts'
import { Quantity } from '../../ui/Quantity.tsx'
import classes from './BuyPanel.module.css'

interface BuyPanelProps {
  product: Product
  chosen: PackageEntry | undefined
  /** Why nothing is chosen; nothing to say while the packages are on their way. */
  missing: string | undefined
}

/** How many of the chosen package, for how much, and into the cart. */
export function BuyPanel({ product, chosen, missing }: BuyPanelProps) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState(1)
  const most = Math.min(chosen?.available_count ?? 1, LIMITS.quantityMax)
  const quantity = Math.min(wanted, Math.max(most, 1))
  const { buy, isPending, wasAdded } = useBuy(product, chosen, quantity)

  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Stack gap={0}>
          {chosen && (
            <>
              <Text size="sm" c="dimmed">
                <GameAmount amount={chosen.game_amount} currency={chosen.game_currency} />
              </Text>
              <Price usd={chosen.price_usd * quantity} rub={chosen.price_rub * quantity} size="lg" />
            </>
          )}
          {!chosen && (missing ? <Text c="dimmed">{missing}</Text> : <Skeleton h={44} w={120} />)}
        </Stack>
        <Quantity
          value={quantity}
          min={1}
          max={most}
          onChange={setWanted}
          labels={{ group: t('product.quantity'), less: t('product.less'), more: t('product.more') }}
        />
      </Group>
      <Group mt={10} gap="xs" grow preventGrowOverflow={false} wrap="nowrap">
        <Button size="md" onClick={buy} disabled={!chosen} loading={isPending} className={classes.action}>
          {t('product.add')}
        </Button>
        {wasAdded && (
          <Button component={Link} to={paths.cart} size="md" px={8} variant="default">
            {t('product.toCart')}
          </Button>
        )}
      </Group>
      {chosen && quantity >= most && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('product.maxQuantity')}
        </Text>
      )}
    </>
  )
}

function useBuy(product: Product, chosen: PackageEntry | undefined, quantity: number) {
  const { t } = useTranslation()
  const mayGoOn = useLoginGate()
  const adding = useAddToCart()

  const buy = () => {
    if (!chosen || !mayGoOn(t('product.loginRequired'))) return
    adding.mutate(
      {
        productId: product.id,
        gameAmount: chosen.game_amount,
        priceUsd: chosen.price_usd,
        priceRub: chosen.price_rub,
        gameCurrency: chosen.game_currency,
        regionId: chosen.region_id,
        quantity,
      },
      {
        onSuccess: () => noticeSuccess(t('product.added')),
        onError: (error) => noticeError(failureText(t, error)),
      },
    )
  }

  return { buy, isPending: adding.isPending, wasAdded: adding.isSuccess }
}
