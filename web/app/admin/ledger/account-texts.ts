/** Of an account that is not here its own name is shown. */
export const accountTexts: Readonly<Record<string, string>> = {
  wallet: 'admin.ledger.accounts.wallet',
  sales: 'admin.ledger.accounts.sales',
  adjustments: 'admin.ledger.accounts.adjustments',
  card: 'admin.ledger.accounts.card',
  disputes: 'admin.ledger.accounts.disputes',
}
