import { setTimeout as sleep } from 'node:timers/promises'
import { expireOverdueOrders } from '../server/src/modules/checkout/expire-order.ts'
import { Database } from '../server/src/platform/database.ts'

const workers = 4

/** Does all the time what the job does every minute: ends the orders whose time is over, and looks at nothing else. */
const database = new Database({ url: process.env.DATABASE_URL ?? '', connections: workers, onIdleError: () => {} })

async function work(): Promise<never> {
  for (;;) {
    // While PostgreSQL is down there is nothing to end.
    await expireOverdueOrders(database).catch(() => sleep(100))
    await sleep(5)
  }
}

await Promise.all(Array.from({ length: workers }, work))
