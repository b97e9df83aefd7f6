import { z } from 'zod'
import { productKinds } from './catalogue.ts'
import { profits } from './costs.ts'
import { adminEndpoint } from './endpoint.ts'
import { id, toData } from './fields.ts'

import { shownDays } from './summary.ts'

const productProfit = z.object({
  product_id: id,
  product_title: z.string(),
  kind: z.enum(productKinds),
  ...profits.shape,
})
export type ProductProfit = z.infer<typeof productProfit>

/** What was earned with the orders that were placed on these days, whatever was refunded of them since. */
const profitReport = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** The time zone of the days. */
  timezone: z.string(),
  totals: profits,
  days: z.array(z.object({ date: z.iso.date(), ...profits.shape })),
  /** Those that were sold, the most units first. */
  products: z.array(productProfit),
})
export type ProfitReport = z.infer<typeof profitReport>

export const profitApi = {
  read: adminEndpoint('GET /admin/profit', {
    operationId: 'readProfit',
    permission: 'reports.read',
    summary:
      'Revenue, cost and margin by day and by product; the last 30 days unless `period`, or `from` and `to`, say otherwise',
    query: shownDays,
    answer: toData(profitReport),
  }),
}
