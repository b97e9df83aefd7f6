/**
 * The calls of admins that write, or take a body, and yet don't ask for the second factor again; each with the reason.
 * A call that is confirmed, or deleted, has no line here, and one that is neither confirmed nor here fails the tests.
 */
export const unasked: Readonly<Record<string, string>> = {
  'POST /auth/second-factor/enrol':
    'It takes the password, and the secret it shows counts for nothing until confirmed.',
  'POST /auth/second-factor/confirm':
    'It takes a code of the app that is being enrolled, and nobody has one before that.',
  'POST /auth/second-factor/confirm-again': 'This is the call that takes the code which the others ask for.',
  'POST /auth/second-factor/recovery-codes': 'It takes a code of the app itself, however lately another one was given.',
  'POST /auth/second-factor/disable': 'It takes a code of the app itself, however lately another one was given.',
  'PUT /admin/alerts/:id':
    'It says who looks after a trouble: no money, code or price moves, and the name of who said so stays.',
  'POST /admin/approvals/:id/withdraw':
    'It takes back what the caller asked for and nobody has done: no money, code or price moves.',
  'POST /admin/conversations/:id/answers':
    'It tells one customer something in the name of the shop, under the name of who wrote it: nothing moves or is shown.',
  'POST /admin/conversations/:id/notes': 'It keeps a note for colleagues: no customer is told anything.',
  'PUT /admin/conversations/:id':
    'It says who looks after a customer, and whether more is to be done: no money, code or price moves.',
  'PUT /admin/conversations/:id/read': 'It only says that an operator has seen a message.',
  'POST /admin/codes/search':
    'It reads a list of masked codes; the body only keeps what is searched for out of the logs.',
  'POST /admin/order-views': 'It keeps filters of a list under a name: no money, code or price moves.',
  'PUT /admin/order-views/:id': 'It renames filters of a list or keeps others: no money, code or price moves.',
  'DELETE /admin/order-views/:id': 'It forgets filters of a list, which anybody can set again in a moment.',
  'POST /admin/orders/code':
    'It tells the number of a code that the admin has already, and that it was asked stays in the audit trail.',
  'POST /admin/generated-codes/search':
    'It reads a list of masked codes; the body only keeps what is searched for out of the logs.',
  'POST /pubg-admin/codes/search':
    'It reads a list of masked codes; the body only keeps what is searched for out of the logs.',
  'POST /admin/products/:id/try':
    'It checks an account as any visitor may, and nobody but the sandbox delivers what it orders.',
  'POST /admin/suppliers/:name/sync':
    'It reads what a supplier sells, which is done every quarter of an hour anyway; nothing is sold or priced by it.',
  'POST /admin/pages/preview': 'It shows a text as its page would and keeps nothing.',
  'POST /admin/price-rules/example': 'It computes a price and keeps nothing.',
  'POST /admin/price-changes/preview': 'It shows prices as they would be and changes none.',
  'POST /admin/offer-changes/preview': 'It shows packages as they would be and changes none.',
  'POST /admin/suppliers/:name/take-over/preview': 'It shows what a take-over would make, and undoes it.',
  'POST /admin/reconciliation/:day':
    'It reads what providers and books have of a day and keeps only what came of comparing them.',
  'POST /admin/ledger/proof': 'It adds up what is there and changes nothing but when that was last done.',
}
