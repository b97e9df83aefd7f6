import { paths } from '../../paths.ts'
import type { TabName } from '../i18n/en.ts'

/** The filters of the orders that sales and profit are counted of. */
export const sold = { purpose: 'goods', paid: 'true' } as const

/** The way from a figure to the list of what it counts. */
export const toTab = (tab: TabName, filters: Readonly<Record<string, string>>): string =>
  `${paths.admin(tab)}?${new URLSearchParams(filters)}`
