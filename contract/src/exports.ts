import { z } from 'zod'
import { orderFilters } from './admin-orders.ts'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { search, text, toData } from './fields.ts'
import { dateRange } from './summary.ts'

const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

const format = z.enum(exportFormats)

/** What is exported: every row that the filters leave, however many. */
const wantedExport = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('orders'),
    format,
    filters: z.strictObject({ search: search.default(''), ...orderFilters }).default({ search: '' }),
  }),
  /** Every line of the paid orders of these days, with what it cost and earned. */
  z.strictObject({ what: z.literal('sales'), format, days: dateRange }),
  z.strictObject({ what: z.literal('customers'), format }),
  z.strictObject({ what: z.literal('ledger'), format, days: dateRange.default({}) }),
  /** Every code the shop has or had, without the code itself. */
  z.strictObject({ what: z.literal('stock'), format }),
])
export type WantedExport = z.output<typeof wantedExport>
export type ExportName = WantedExport['what']

export const exportsApi = {
  start: adminEndpoint('POST /admin/exports', {
    operationId: 'startExport',
    permission: 'exports.read',
    confirmed: true,
    summary: 'Makes the address from which orders, sales, customers, the ledger or the stock can be downloaded, once',
    body: wantedExport,
    answer: toData(z.object({ path: z.string() })),
  }),
  download: endpoint('GET /exports/:ticket', {
    operationId: 'downloadExport',
    access: 'visitor',
    tag: 'orders',
    file: true,
    summary:
      'A file that `startExport` made the address of; it answers once, within a minute, while the admin is logged in',
    params: z.object({ ticket: text(1, 64) }),
    answer: z.unknown(),
  }),
}
