import type { Resources } from '../../platform/context.ts'
import type { Suppliers } from '../topups/suppliers.ts'

/** What delivering needs. */
export type DeliveryShop = Pick<Resources, 'database' | 'vault' | 'clock' | 'log'> & { suppliers: Suppliers }
