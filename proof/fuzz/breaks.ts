import type { Break } from '../break.ts'

export const breaks: Record<string, Break> = {
  'any-text': {
    sentence: 'texts that PostgreSQL cannot hold are let through, and end as answers of 500',
    modules: { 'contract/src/storable.ts': 'planted-text.ts' },
  },
  'anybodys-receipt': {
    sentence: 'a receipt is shown to whoever knows the number of the order',
    modules: { 'server/src/modules/orders/orders.ts': 'planted-receipt.ts' },
  },
  'bare-refusal': {
    sentence: 'what is not there is refused in words of its own, and with the place in the code',
    modules: { 'server/src/platform/http/http.ts': 'planted-refusal.ts' },
  },
  'made-up-answer': {
    sentence: 'an answer lacks a field that its description promises',
    modules: { 'server/src/platform/http/shared-answers.ts': 'planted-answer.ts' },
  },
  'minted-money': {
    sentence: 'a wallet gets a cent more than the ledger says',
    modules: { 'server/src/modules/wallet/wallet.ts': 'planted-balance.ts' },
  },
}
