/** Texts about fillings of customers’ balances. */
export const fillings = {
  settings: 'Topping up the balance',
  settingsHint:
    'Off, buyers read that it comes soon. On, they fill their balance by the methods above. What is under way goes on either way.',
  isOn: 'Buyers may fill their balance',
  item: 'Balance top-up',
  purpose: 'What',
  purposes: { goods: 'Purchases', balance: 'Balance top-ups' },
  unpaid: 'It was not paid.',
  paid: 'Paid:',
  refunded: 'Refunded to the card:',
  refundable: 'Can be refunded now:',
  outside: 'in the provider’s cabinet',
  andFee: 'and of the fee',
  refund: 'Refund to the card',
  refundTitle: 'Refund to the card?',
  refundText: 'The money leaves the balance now. If the card does not take it, it comes back to the balance.',
  amount: 'How much',
  states: { done: 'made', waiting: 'waiting for the provider', failed: 'failed: it is in the balance again' },
  deposits: 'Balances filled, {{currency}}',
} as const
