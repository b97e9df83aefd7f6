import { toMajor } from '@olmos/contract/minor-units'
import { summaryApi } from '@olmos/contract/summary'
import type { Context } from '../../platform/context.ts'
import {
  byProduct,
  type DayRow,
  dateIn,
  daysLeft,
  readDays,
  readStock,
  readWaiting,
  toLowStock,
  toRange,
} from './summary.ts'

type Figures = Omit<DayRow, 'date'>

const shownFigures = (row: Figures): Figures => ({
  sales_usd: toMajor(row.sales_usd),
  sales_rub: toMajor(row.sales_rub),
  orders_usd: row.orders_usd,
  orders_rub: row.orders_rub,
  refunds_usd: toMajor(row.refunds_usd),
  refunds_rub: toMajor(row.refunds_rub),
  new_users: row.new_users,
})

const toTotal = (days: readonly DayRow[], figure: keyof Figures) => days.reduce((sum, day) => sum + day[figure], 0)

const toTotals = (days: readonly DayRow[]): Figures => ({
  sales_usd: toTotal(days, 'sales_usd'),
  sales_rub: toTotal(days, 'sales_rub'),
  orders_usd: toTotal(days, 'orders_usd'),
  orders_rub: toTotal(days, 'orders_rub'),
  refunds_usd: toTotal(days, 'refunds_usd'),
  refunds_rub: toTotal(days, 'refunds_rub'),
  new_users: toTotal(days, 'new_users'),
})

export function summaryAdmin({ serve, database, config: { timeZone }, clock }: Context): void {
  serve(summaryApi.read, async ({ query, language }) => {
    const range = toRange(query, dateIn(timeZone, clock.now()))
    const [days, stock, waiting] = await Promise.all([
      readDays(database, { ...range, timeZone }),
      readStock(database, language),
      readWaiting(database),
    ])
    const packages = stock.map((row) => ({ ...row, days_left: daysLeft(row.available_count, row.sold_count) }))
    return {
      data: {
        ...range,
        timezone: timeZone,
        totals: shownFigures(toTotals(days)),
        days: days.map((day) => ({ date: day.date, ...shownFigures(day) })),
        stock: byProduct(packages),
        low_stock: toLowStock(packages),
        deliveries_waiting: waiting.deliveries,
        unpaid_holds: { orders: waiting.unpaid_orders, codes: waiting.held_codes },
        support_open: waiting.support_open,
      },
    }
  })
}
