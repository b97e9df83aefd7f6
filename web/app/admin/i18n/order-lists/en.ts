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
  email: 'Email of the receipt or profile',
  paid: 'Paid',
  isPaid: 'Paid',
  isUnpaid: 'Not paid',
  paidBy: 'Name of the method',
  refundedFrom: 'Refunded from',
  refundedTo: 'Refunded until',
  refundReason: 'Reason of the refund',
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

/** Texts about kept views of the list of orders. */
export const orderViews = {
  label: 'Kept views',
  keep: 'Keep this view',
  keepTitle: 'Keep the filters as a view',
  editTitle: 'View “{{name}}”',
  name: 'Name',
  shared: 'All colleagues see it',
  sharedBy: '{{name}}, shared by {{by}}',
  update: 'Keep the filters in “{{name}}”',
  incomplete: 'Some filters of this view don’t exist any more. The orders that fit the others are shown.',
  removeTitle: 'Delete the view “{{name}}”?',
  removeText: 'The orders stay. Only the kept filters are gone.',
  removeShared: 'The orders stay. The view is gone for all colleagues.',
} as const
