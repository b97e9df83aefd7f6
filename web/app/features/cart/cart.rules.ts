import type { CartItem } from '@olmos/contract/cart'

export const countAll = (items: CartItem[]): number => items.reduce((count, item) => count + item.quantity, 0)

/** Whether as many as wanted are there. */
export const isAvailable = (item: CartItem): boolean => item.quantity <= item.available_count
