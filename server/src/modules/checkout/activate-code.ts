import type { Tx } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { lockSpendable, spendCode } from '../codes/spend-codes.ts'
import { queueDeliveries } from '../delivery/deliveries.store.ts'
import { newOrderId, placeOrder } from '../orders/orders.ts'

interface ActivationWish {
  userId: number
  /** The code as the player typed it. */
  code: string
  playerId: string
  playerName: string
}

/**
 * Spends a generated code on a Free Fire player, once. What the code stands for is delivered by an order that costs
 * nothing, because the code was paid for. Returns the order's id. Refuses with CODE_NOT_FOUND or CODE_ALREADY_USED.
 */
export async function activateCode(tx: Tx, vault: Vault, wish: ActivationWish): Promise<string> {
  const { userId, playerId, playerName } = wish
  const code = await lockSpendable(tx, vault, wish.code, userId)
  const id = newOrderId()
  await placeOrder(tx, { id, userId, currency: 'USD', total: 0, status: 'pending', paymentMethod: 'code' }, [
    {
      position: 1,
      itemType: 'topup',
      offerId: code.offer_id,
      priceVersion: code.price_version,
      productId: null,
      unitPrice: 0,
      quantity: 1,
      gameCurrency: code.game_currency,
      status: 'pending',
      target: {
        service: 'freefire',
        account: playerId,
        values: { player_id: playerId },
        playerName,
        steam: null,
      },
    },
  ])
  await spendCode(tx, code, id)
  await queueDeliveries(tx, id)
  return id
}
