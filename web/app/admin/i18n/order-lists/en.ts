/** Texts about finding orders. */
export const orderFilters = {
  more: 'More filters',
  less: 'Fewer filters',
  currency: 'Currency',
  product: 'Product',
  supplier: 'Supplier',
  nickname: 'Nickname',
  account: 'Player ID or login',
  payment: 'Payment ID',
  email: 'Email of the receipt',
  amountFrom: 'Amount from',
  amountTo: 'Amount to',
  code: 'Whole code',
  codeHint: 'Press Enter. The audit log keeps that you asked, not the code.',
  codeUnknown: 'The store has never had this code.',
  codeFound: 'Code no. {{id}}',
  codeAny: 'Orders of any code',
  badAmount: 'An amount such as 12.50',
} as const

/** Texts about files of what the shop has. */
export const exports = {
  label: 'Download everything that is listed',
  csv: 'CSV',
  xlsx: 'Excel',
  started: 'The download has begun',
} as const
