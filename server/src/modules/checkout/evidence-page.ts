import type { Language } from '@olmos/contract/fields'

const en = {
  title: 'Evidence for order {id}',
  lead: 'Taken from the store’s records on {at}. All times are UTC. Codes are masked.',
  none: 'None',
  dispute: 'Dispute',
  order: 'Order',
  buyer: 'Buyer',
  payments: 'Payments',
  items: 'What was bought',
  codes: 'Codes',
  reveals: 'When the codes were shown',
  deliveries: 'Delivery, and the suppliers’ answers',
  terms: 'What the buyer was told about the goods',
  history: 'Everything that happened',
  id: 'ID',
  provider: 'Provider',
  reference: 'Reference',
  reason: 'Reason',
  status: 'Status',
  amount: 'Amount',
  dueBy: 'Evidence is due by',
  placed: 'Placed',
  paidBy: 'Paid by',
  total: 'Total',
  fromBalance: 'Paid from the balance',
  nickname: 'Nickname',
  registered: 'Registered',
  accountAge: 'Age of the account at the order, days',
  ordersBefore: 'Completed orders before',
  lastOrderBefore: 'The last of them',
  paymentId: 'Payment ID at the provider',
  key: 'Key of the payment',
  opened: 'Opened',
  settled: 'Paid',
  product: 'Product',
  quantity: 'Quantity',
  price: 'Price',
  recipient: 'Recipient',
  code: 'Code',
  sold: 'Sold',
  firstSeen: 'First shown',
  seenAt: 'Shown',
  seenBy: 'To',
  byLink: 'by the link the buyer gave',
  unit: 'Unit',
  supplier: 'Supplier',
  supplierOrder: 'Order at the supplier',
  question: 'Question',
  asked: 'Asked',
  answered: 'Answered',
  answer: 'Answer',
  description: 'Description',
  instructions: 'How to use it',
  at: 'When',
  what: 'What',
  who: 'Who',
}
export type EvidenceTexts = typeof en

const ru: EvidenceTexts = {
  title: 'Доказательства по заказу {id}',
  lead: 'Из записей магазина, {at}. Время указано по UTC. Коды скрыты.',
  none: 'Нет',
  dispute: 'Спор',
  order: 'Заказ',
  buyer: 'Покупатель',
  payments: 'Платежи',
  items: 'Что куплено',
  codes: 'Коды',
  reveals: 'Когда коды были показаны',
  deliveries: 'Доставка и ответы поставщиков',
  terms: 'Что покупателю сообщили о товаре',
  history: 'Всё, что произошло',
  id: 'ID',
  provider: 'Платёжный сервис',
  reference: 'Номер',
  reason: 'Причина',
  status: 'Статус',
  amount: 'Сумма',
  dueBy: 'Доказательства принимают до',
  placed: 'Оформлен',
  paidBy: 'Способ оплаты',
  total: 'Итого',
  fromBalance: 'Оплачено с баланса',
  nickname: 'Никнейм',
  registered: 'Регистрация',
  accountAge: 'Возраст аккаунта при заказе, дней',
  ordersBefore: 'Выполненных заказов до этого',
  lastOrderBefore: 'Последний из них',
  paymentId: 'ID платежа у сервиса',
  key: 'Ключ платежа',
  opened: 'Открыт',
  settled: 'Оплачен',
  product: 'Товар',
  quantity: 'Количество',
  price: 'Цена',
  recipient: 'Получатель',
  code: 'Код',
  sold: 'Продан',
  firstSeen: 'Впервые показан',
  seenAt: 'Показан',
  seenBy: 'Кому',
  byLink: 'по ссылке, которую дал покупатель',
  unit: 'Единица',
  supplier: 'Поставщик',
  supplierOrder: 'Заказ у поставщика',
  question: 'Запрос',
  asked: 'Отправлен',
  answered: 'Получен ответ',
  answer: 'Ответ',
  description: 'Описание',
  instructions: 'Как активировать',
  at: 'Когда',
  what: 'Что',
  who: 'Кто',
}

const uz: EvidenceTexts = {
  title: '{id} buyurtmasi boʻyicha dalillar',
  lead: 'Doʻkon yozuvlaridan, {at}. Vaqt UTC boʻyicha. Kodlar yashirilgan.',
  none: 'Yoʻq',
  dispute: 'Nizo',
  order: 'Buyurtma',
  buyer: 'Xaridor',
  payments: 'Toʻlovlar',
  items: 'Nima sotib olingan',
  codes: 'Kodlar',
  reveals: 'Kodlar qachon koʻrsatilgan',
  deliveries: 'Yetkazish va yetkazib beruvchilarning javoblari',
  terms: 'Xaridorga mahsulot haqida nima aytilgan',
  history: 'Sodir boʻlgan hamma narsa',
  id: 'ID',
  provider: 'Toʻlov xizmati',
  reference: 'Raqami',
  reason: 'Sababi',
  status: 'Holati',
  amount: 'Summa',
  dueBy: 'Dalillar qabul qilinadigan muddat',
  placed: 'Rasmiylashtirilgan',
  paidBy: 'Toʻlov usuli',
  total: 'Jami',
  fromBalance: 'Balansdan toʻlangan',
  nickname: 'Nik',
  registered: 'Roʻyxatdan oʻtgan',
  accountAge: 'Buyurtma paytida hisob yoshi, kun',
  ordersBefore: 'Undan oldin bajarilgan buyurtmalar',
  lastOrderBefore: 'Ularning oxirgisi',
  paymentId: 'Xizmatdagi toʻlov ID raqami',
  key: 'Toʻlov kaliti',
  opened: 'Ochilgan',
  settled: 'Toʻlangan',
  product: 'Mahsulot',
  quantity: 'Miqdor',
  price: 'Narx',
  recipient: 'Qabul qiluvchi',
  code: 'Kod',
  sold: 'Sotilgan',
  firstSeen: 'Birinchi koʻrsatilgan vaqt',
  seenAt: 'Koʻrsatilgan',
  seenBy: 'Kimga',
  byLink: 'xaridor bergan havola orqali',
  unit: 'Birlik',
  supplier: 'Yetkazib beruvchi',
  supplierOrder: 'Yetkazib beruvchidagi buyurtma',
  question: 'Soʻrov',
  asked: 'Yuborilgan',
  answered: 'Javob olingan',
  answer: 'Javob',
  description: 'Tavsif',
  instructions: 'Qanday faollashtiriladi',
  at: 'Qachon',
  what: 'Nima',
  who: 'Kim',
}

/** The texts of the file that an operator sends to a bank, in the operator's language. */
export const evidenceTexts: Record<Language, EvidenceTexts> = { en, ru, uz }

type Cell = string | number | null

interface EvidenceTable {
  title: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/** The contents of one part of the file: facts by name, or a table. */
export type EvidencePart = { title: string; facts: readonly (readonly [string, Cell])[] } | EvidenceTable

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Escapes nicknames, accounts and reasons, which strangers write: none of them becomes markup. */
const escaped = (text: Cell): string => String(text ?? '').replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)

const shown = (cell: Cell): string => (cell === null || cell === '' ? '&ndash;' : escaped(cell))

const style = `body{font:14px/1.5 system-ui,sans-serif;color:#14181f;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{border:1px solid #c9ced6;padding:.35rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere;white-space:pre-line}
th{background:#f2f4f7;font-weight:600}p{color:#4a5361}`

const toRow = (tag: 'td' | 'th', cells: readonly Cell[]): string =>
  `<tr>${cells.map((cell) => `<${tag}>${shown(cell)}</${tag}>`).join('')}</tr>`

function toPart(part: EvidencePart, empty: string): string {
  const title = `<h2>${escaped(part.title)}</h2>`
  if ('facts' in part) {
    const rows = part.facts.map(
      ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${shown(value)}</td></tr>`,
    )
    return `${title}<table>${rows.join('')}</table>`
  }
  if (part.rows.length === 0) return `${title}<p>${escaped(empty)}</p>`
  return `${title}<table>${toRow('th', part.columns)}${part.rows.map((row) => toRow('td', row)).join('')}</table>`
}

/** Renders one file that needs nothing else: no script, no image, no other address. */
export function evidencePage(
  language: Language,
  { title, lead, parts }: { title: string; lead: string; parts: readonly EvidencePart[] },
): string {
  const body = parts.map((part) => toPart(part, evidenceTexts[language].none)).join('\n')
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><h1>${escaped(title)}</h1><p>${escaped(lead)}</p>
${body}
</body></html>
`
}
