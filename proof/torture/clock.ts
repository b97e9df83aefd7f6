import { setTimeout as sleep } from 'node:timers/promises'
import { SERVER_LIMITS } from '../../server/src/limits.ts'
import { sendCardRefund } from '../../server/src/modules/checkout/card-refunds.ts'
import { expireOverdueOrders } from '../../server/src/modules/checkout/expire-order.ts'
import { cardRefundsToSend } from '../../server/src/modules/payments/card-refunds.ts'
import type { PaymentShop } from '../../server/src/modules/payments/open-payment.ts'
import { createProviders, providerAdapters } from '../../server/src/modules/payments/providers.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Vault } from '../../server/src/platform/security/vault.ts'
import { readVendors } from '../../server/src/platform/vendor/adapters.ts'

const workers = 4

/** Does all the time what the jobs do every minute: ends the orders whose time is over, and asks about refunds. */
const database = new Database({ url: process.env.DATABASE_URL ?? '', connections: workers, onIdleError: () => {} })

async function endOrders(): Promise<never> {
  for (;;) {
    // While PostgreSQL is down there is nothing to end.
    await expireOverdueOrders(database).catch(() => sleep(100))
    await sleep(5)
  }
}

const chosen = readVendors(providerAdapters, {
  setting: 'PAYMENT_PROVIDERS',
  names: (process.env.PAYMENT_PROVIDERS ?? '').split(','),
  given: process.env,
  opening: undefined,
})
const log = { info: () => {}, warn: () => {}, error: () => {} }
// All of them are in the environment, so no account is unsealed.
const vault = {} as Vault
const providers = createProviders({ chosen, given: {} }, { database, publicUrl: '', vault, log })
// What asking about refunds needs of a shop.
const shop = { database, providers, log } as unknown as PaymentShop
/** Who has had a refund for so long has been killed. */
const leaseSeconds = 5

async function sendRefunds(): Promise<never> {
  for (;;) {
    await sendAll().catch(() => sleep(100))
    await sleep(50)
  }
}

async function sendAll(): Promise<void> {
  await database.run(sql`
    UPDATE card_refund SET attempt_until = NULL
    WHERE attempt_until < now() + make_interval(secs => ${SERVER_LIMITS.refundAttemptSeconds - leaseSeconds})`)
  for (const id of await cardRefundsToSend(database)) await sendCardRefund(shop, id)
}

await Promise.all([...Array.from({ length: workers }, endOrders), sendRefunds()])
