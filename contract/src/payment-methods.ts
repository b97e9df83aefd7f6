/** The marks of payment methods, each with a picture in the shop and a name in three languages. */
export const paymentMarks = ['card', 'sbp', 'payme', 'click', 'crypto', 'sandbox', 'sandbox_soums'] as const
export type PaymentMark = (typeof paymentMarks)[number]
