/** Buyurtmalarni topish matnlari. */
export const orderFilters = {
  more: 'Koʻproq filtrlar',
  less: 'Kamroq filtrlar',
  currency: 'Valyuta',
  product: 'Mahsulot',
  supplier: 'Yetkazib beruvchi',
  nickname: 'Nik',
  account: 'Oʻyinchi ID raqami yoki login',
  payment: 'Toʻlov ID raqami',
  email: 'Chek yoki profildagi e-mail',
  paid: 'Toʻlangan',
  isPaid: 'Toʻlangan',
  isUnpaid: 'Toʻlanmagan',
  paidBy: 'Toʻlov usuli nomi',
  refundedFrom: 'Qaytarilgan, boshlab',
  refundedTo: 'Qaytarilgan, gacha',
  refundReason: 'Qaytarish sababi',
  amountFrom: 'Summa, kamida',
  amountTo: 'Summa, koʻpi bilan',
  code: 'Kod toʻliq',
  codeHint: 'Enter tugmasini bosing. Amallar jurnalida qidirganingiz qoladi, kodning oʻzi emas.',
  codeUnknown: 'Doʻkonda bunday kod boʻlmagan.',
  codeFound: 'Kod №\u00a0{{id}}',
  codeAny: 'Har qanday kodli buyurtmalar',
  badAmount: 'Summa, masalan 12.50',
} as const

/** Faylga yuklab olish matnlari. */
export const exports = {
  label: 'Roʻyxatdagi hammasini yuklab olish',
  csv: 'CSV',
  xlsx: 'Excel',
  started: 'Yuklab olish boshlandi',
} as const

/** Buyurtmalar roʻyxatining saqlangan koʻrinishlari haqidagi matnlar. */
export const orderViews = {
  label: 'Saqlangan koʻrinishlar',
  keep: 'Koʻrinishni saqlash',
  keepTitle: 'Filtrlarni koʻrinish sifatida saqlash',
  editTitle: '“{{name}}” koʻrinishi',
  name: 'Nomi',
  shared: 'Barcha hamkasblarga koʻrinadi',
  sharedBy: '{{name}}, hamkasb {{by}} ulashgan',
  update: 'Filtrlarni “{{name}}”ga yozish',
  incomplete: 'Bu koʻrinishdagi ayrim filtrlar endi amal qilmaydi. Qolganlari boʻyicha buyurtmalar koʻrsatilgan.',
  removeTitle: '“{{name}}” koʻrinishi oʻchirib tashlansinmi?',
  removeText: 'Buyurtmalar qoladi. Faqat saqlangan filtrlar yoʻqoladi.',
  removeShared: 'Buyurtmalar qoladi. Koʻrinish barcha hamkasblarda yoʻqoladi.',
} as const
