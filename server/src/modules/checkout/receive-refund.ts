import { z } from 'zod'
import { cardRefundNamed, findNamelessRefunds, findRefundByKey } from '../payments/card-refund.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import type { PaymentProvider, ProviderRefund } from '../payments/provider.ts'
import { sendCardRefund } from './send-card-refund.ts'
import { noteOutsideRefund, settleCardRefund } from './settle-card-refund.ts'

/**
 * Settles a refund that a provider speaks of, whoever made it: the provider is asked how it stands, then whether it is
 * one of the store's, and if it certainly is not, it was made there. `askAbout` learns of a payment whose own notice
 * was slower. Answers what the notice is to be answered: nothing can be said yet, or there is no such refund.
 */
export async function receiveRefund(
  shop: PaymentShop,
  provider: PaymentProvider,
  id: string,
  askAbout: (providerPaymentId: string) => Promise<unknown>,
): Promise<'settled' | 'unknown' | 'not_found'> {
  const known = await cardRefundNamed(shop.database, provider.name, id)
  const answer = await provider.readRefund(id)
  if (answer.kind === 'unknown') return 'unknown'
  if (answer.kind === 'rejected') return answer.code === 'not_allowed' ? 'unknown' : 'not_found'
  const told = answer.value
  const own = known ? { ...known, provider: provider.name } : await findOwn(shop, provider, told)
  if (own === 'undecided') return 'unknown'
  if (own) {
    await settleCardRefund(shop, own, told)
    return 'settled'
  }
  if ((await noteOutsideRefund(shop, provider.name, told)) === 'noted') return 'settled'
  if (told.providerPaymentId !== undefined) await askAbout(told.providerPaymentId)
  return (await noteOutsideRefund(shop, provider.name, told)) === 'noted' ? 'settled' : 'unknown'
}

/**
 * The store's own refund that this is, told of before the answer to the call that made it. Where the provider does not
 * keep the key, an equal one that was sent has to learn its name first.
 */
async function findOwn(shop: PaymentShop, provider: PaymentProvider, told: ProviderRefund) {
  const { reference, providerPaymentId, providerRefundId, amount } = told
  if (reference !== undefined) {
    return z.uuid().safeParse(reference).success ? findRefundByKey(shop.database, provider.name, reference) : undefined
  }
  if (providerPaymentId === undefined) return undefined
  const equal = () => findNamelessRefunds(shop.database, provider.name, { paymentId: providerPaymentId, amount })
  for (const refund of await equal()) await sendCardRefund(shop, refund.id)
  const named = await cardRefundNamed(shop.database, provider.name, providerRefundId)
  if (named) return { ...named, provider: provider.name }
  return (await equal()).length > 0 ? 'undecided' : undefined
}
