import type { Database } from '../../platform/database.ts'
import {
  giveUpOldPayments,
  type OpenPayment,
  overduePayments,
  takeDuePayments,
  unopenedOrders,
} from './undecided.store.ts'

const atOnce = 500

/** The open payments whose provider should be asked now. Two nodes never get the same one. */
export const paymentsToAskAbout = (database: Database): Promise<OpenPayment[]> => takeDuePayments(database, atOnce)

/** The open payments of orders that are about to expire. */
export const paymentsAboutToExpire = (database: Database): Promise<OpenPayment[]> => overduePayments(database, atOnce)

/** Orders whose payment nobody could open so far. */
export async function ordersToOpen(database: Database): Promise<string[]> {
  return (await unopenedOrders(database, atOnce)).map((row) => row.order_id)
}

/** Stops asking about payments that nobody made within a day. */
export const giveUpPayments = (database: Database): Promise<number> => giveUpOldPayments(database)
