import type {
  DifferenceKind,
  ReconciledProvider,
  ReconciliationOrigin,
  ReconciliationState,
} from '@olmos/contract/reconciliation'

/** Texts of comparing a day with what the payment providers have. */
export const reconciliation = {
  payments: 'Payments',
  title: 'Reconciliation',
  intro:
    'Each night the day before is compared with every provider, to the unit and both ways. Days are those of the time zone {{timezone}}.',
  unchecked: 'Not compared yet',
  run: 'Compare',
  again: 'Compare again',
  done: 'The day is compared',
  closeDay: 'Close the day',
  none: 'Nobody has compared this day yet.',
  running: 'The day is not over: compared as far as it was.',
  differs: 'Differences: {{count}}',
  state: {
    equal: 'Everything agrees',
    different: 'There are differences',
    not_compared: 'Not compared',
    cabinet_only: 'Compare with the cabinet',
  } as const satisfies Record<ReconciliationState, string>,
  asked: {
    list: 'Compared with the provider’s list of what was paid.',
    each: 'The provider has no list: each payment the store knows was asked for. What somebody paid past the store is not found.',
    nothing:
      'This provider can’t be asked: it can only be compared with its cabinet. Here is what the books have of it.',
  } as const satisfies Record<ReconciledProvider['asked'], string>,
  why: 'Not compared, the provider did not answer as it should: {{why}}',
  refundsWhy: 'Refunds were not compared, the provider did not answer as it should: {{why}}',
  madeBy: {
    admin: 'Compared by {{name}}',
    command: 'Compared by the command',
    job: 'Compared by itself',
  } as const satisfies Record<ReconciliationOrigin, string>,
  there: 'At the provider',
  here: 'In the books',
  paymentsCount: 'payments: {{count}}',
  nothingPaid: 'Nothing was paid that day.',
  untold: 'not told',
  nothing: 'nothing',
  order: 'Order {{order}}',
  payment: 'Payment',
  refund: 'refund',
  more: 'And more: {{count}}',
  difference: {
    only_there: 'Paid at the provider, unknown to the store',
    canceled_here: 'Paid at the provider, canceled in the store',
    unpaid_here: 'Paid at the provider, still unpaid in the store',
    only_here: 'Paid in the books, not paid at the provider',
    amount: 'Paid in both, but not the same sum',
    refund_only_there: 'A refund that only the provider has',
    refund_only_here: 'A refund that only the books have',
    refund_amount: 'Refunded in both, but not the same sum',
  } as const satisfies Record<DifferenceKind, string>,
} as const
