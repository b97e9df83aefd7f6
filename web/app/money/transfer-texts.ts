import type { TransferKind } from '@olmos/contract/wallet'

export const transferTexts = {
  purchase: 'profile.kind.purchase',
  refund: 'profile.kind.refund',
  topup: 'profile.kind.topup',
  adjustment: 'profile.kind.adjustment',
  card: 'profile.kind.card',
  payout: 'profile.kind.payout',
  chargeback: 'profile.kind.chargeback',
  chargeback_reversal: 'profile.kind.chargeback_reversal',
} as const satisfies Record<TransferKind, string>
