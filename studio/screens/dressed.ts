import type { Page } from 'playwright'
import { main, type Screen } from '../../proof/e2e/screens/screen.ts'
import { admin } from '../../proof/e2e/start-store.ts'
import { callsTo, logIn, register } from '../../proof/operator.ts'
import { add, edit } from './operator.ts'

const terms = {
  ru: '## Общие условия\n\nМагазин продаёт **коды активации** и пополняет игры. Заказ считается принятым, когда он оплачен.\n\n## Доставка\n\n1. Код виден в заказе сразу после оплаты.\n2. Пополнение приходит за несколько минут, самое позднее за час.\n\n> Код, который открыли, вернуть нельзя.\n\n## Возврат\n\n- не пришло: деньги вернутся на баланс\n- пришло не то: [напишите нам](/support)',
  en: '## General\n\nThe store sells **activation codes** and tops up games. An order is accepted once it is paid.\n\n## Delivery\n\n1. A code is in the order right after the payment.\n2. A top-up arrives within minutes, within an hour at the latest.\n\n> A code that was opened cannot be returned.\n\n## Refunds\n\n- it did not arrive: the money goes back to your balance\n- it is not what you bought: [write to us](/support)',
  uz: '## Umumiy shartlar\n\nDoʻkon **faollashtirish kodlari** sotadi va oʻyinlarni toʻldiradi. Buyurtma toʻlangach qabul qilinadi.\n\n## Yetkazish\n\n1. Kod toʻlovdan keyin darhol buyurtmada koʻrinadi.\n2. Toʻldirish bir necha daqiqada, eng kechi bir soatda keladi.\n\n> Ochilgan kod qaytarib olinmaydi.\n\n## Pulni qaytarish\n\n- kelmadi: pul balansingizga qaytadi\n- boshqa narsa keldi: [bizga yozing](/support)',
}

const banner = {
  ru: 'Ночью с 2 до 4 пополнения Steam идут дольше обычного',
  en: 'From 2 to 4 at night Steam top-ups take longer than usual',
  uz: 'Tunda soat 2 dan 4 gacha Steam toʻldirishlari odatdagidan uzoqroq boʻladi',
}

const sale = {
  ru: 'Скидка 10 % на подарочные карты до конца Навруза',
  en: '10% off gift cards until Navruz is over',
  uz: 'Navroʻz oxirigacha sovgʻa kartalariga 10 % chegirma',
}

const questions = {
  ru: [
    { question: 'Можно ли оплатить картой Humo?', answer: 'Да, через Payme и Click. Сумма в сумах видна до оплаты.' },
    { question: 'Код не подошёл. Что делать?', answer: 'Проверьте регион аккаунта и напишите нам с номером заказа.' },
  ],
  en: [
    {
      question: 'Can I pay with a Humo card?',
      answer: 'Yes, by Payme and Click. You see the sum in soums beforehand.',
    },
    { question: 'The code does not work. What now?', answer: 'Check your account’s region, then write to us.' },
  ],
  uz: [
    {
      question: 'Humo kartasi bilan toʻlasa boʻladimi?',
      answer: 'Ha, Payme va Click orqali. Summa oldindan koʻrinadi.',
    },
    { question: 'Kod ishlamadi. Nima qilay?', answer: 'Hisobingiz mintaqasini tekshiring va bizga yozing.' },
  ],
}

/** Gives a store what its owner and operators would: pages, a banner, questions, coupons, colleagues, recipients, kept filters. */
export async function dressStore(url: string): Promise<void> {
  const anybody = callsTo(url)
  const call = callsTo(url, (await logIn(anybody, admin)).token)
  const readId = async (slug: string) => (await call<{ id: number }>('GET', `/products/slug/${slug}`)).id
  for (const name of ['terms', 'privacy'])
    await call('PUT', `/admin/pages/${name}`, { is_published: true, texts: terms })
  await call('PUT', '/admin/shop-front', {
    featured: [await readId('roblox'), await readId('steam'), await readId('valorant')],
    banners: [
      { is_on: true, kind: 'warning', texts: banner, url: '/pages/terms', from: null, until: null },
      { is_on: false, kind: 'info', texts: sale, url: '/products', from: null, until: '2027-03-21T19:00:00.000Z' },
    ],
    questions,
  })
  const coupons = [
    { code: 'NAVROZ', percent: 10, note: 'Навруз, для всех', ends_at: '2027-03-31T19:00:00.000Z' },
    { code: 'BIRINCHI', amount_usd: 1, amount_rub: 90, is_first_order: true, max_uses: 500, note: 'Первый заказ' },
    { code: 'BLOGER-ALI-15', percent: 15, product_ids: [await readId('roblox')], max_uses_each: null },
  ]
  for (const coupon of coupons) await call('POST', '/admin/coupons', coupon)
  const { data: roles } = await call<{ data: { id: number; built_in: string | null }[] }>('GET', '/admin/staff-roles')
  const colleagues = { Dilnoza_support: 'support', Sardor_ombor: 'stock', Anvar_moliya: 'finance' }
  for (const [nickname, built_in] of Object.entries(colleagues)) {
    await register(anybody, { nickname, password: 'pictures-only-7' })
    await call('POST', '/admin/staff', { nickname, role_id: roles.find((role) => role.built_in === built_in)?.id })
  }
  const recipient = { language: 'ru', is_on: true, alert_kinds: null, quiet_hours: null }
  await call('POST', '/admin/message-recipients', {
    ...recipient,
    ...{ name: 'Дежурная смена', channel: 'telegram', address: '-1001234567890' },
    quiet_hours: { from: '23:00', to: '08:00' },
  })
  await call('POST', '/admin/message-recipients', {
    ...recipient,
    ...{ name: 'Бухгалтерия', channel: 'email', address: 'buh@olmos.example', alert_kinds: ['refund.stuck'] },
  })
  await call('POST', '/admin/order-views', {
    ...{ name: 'Ждут оплаты', is_shared: true, filters: { status: 'awaiting_payment' } },
  })
  await call('POST', '/admin/order-views', { name: 'Картой', is_shared: false, filters: { payment_method: 'card' } })
  await call('POST', '/admin/answer-templates', {
    title: 'Код уже использован',
    texts: { ru: 'Здравствуйте, {nickname}! Проверили заказ {order}: код рабочий.', en: '', uz: 'Salom, {nickname}!' },
  })
}

const showRoles = (page: Page) => main(page).getByRole('tab').last().click()

const approval = {
  id: 7,
  call: 'refundOrder',
  subject: 'order:7K2M9PQRST',
  nickname: null,
  amount: 12_900,
  currency: 'RUB',
  body: { reason: 'Код не активируется, проверили с покупателем' },
  asked_by: 'Dilnoza_support',
  is_own: false,
  asked_at: '2026-11-21T02:14:00.000Z',
  expires_at: '2026-11-23T02:14:00.000Z',
  decision: null,
  decided_by: null,
  decided_at: null,
}
const waiting = {
  id: 4,
  kind: 'approval.waiting',
  subject: 'approval:7',
  details: { order: '7K2M9PQRST', amount: 1_290_000, currency: 'RUB' },
  state: 'open',
  created_at: '2026-11-21T02:14:00.000Z',
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
  resolved_by: null,
}

/** What only a store shows that its owner has dressed. */
export const dressedScreens: Screen[] = [
  { name: 'own-home', path: '/' },
  { name: 'own-terms', path: '/pages/terms' },
  {
    name: 'own-questions',
    path: '/support',
    prepare: async (page) => {
      for (const question of await main(page).locator('summary').all()) await question.click()
    },
  },
  { name: 'own-checkout', path: '/checkout', as: 'customer', says: 'checkout.payment' },
  ...(
    [
      { name: 'front', path: '/admin/front' },
      { name: 'pages', path: '/admin/pages' },
      { name: 'own-page', path: '/admin/pages?page=terms' },
      { name: 'coupons', path: '/admin/coupons' },
      { name: 'coupon', path: '/admin/coupons', prepare: edit },
      { name: 'messages', path: '/admin/messages' },
      { name: 'staff', path: '/admin/staff' },
      { name: 'member', path: '/admin/staff', prepare: edit },
      { name: 'roles', path: '/admin/staff', prepare: showRoles },
      {
        name: 'role',
        path: '/admin/staff',
        prepare: async (page) => {
          await showRoles(page)
          await add(page)
        },
      },
      { name: 'order-views', path: '/admin/orders?status=awaiting_payment' },
      { name: 'order-filters', path: '/admin/orders?payment_method=balance&currency=RUB' },
      { name: 'templates', path: '/admin/support?view=templates' },
      { name: 'template', path: '/admin/support?view=templates', prepare: edit },
      {
        name: 'approval',
        path: '/admin/alerts',
        calls: {
          '/admin/alerts/count': { answered: { data: { open: 1, only_here: 1 } } },
          '/admin/alerts(\\?.*)?$': { answered: { data: [waiting], total: 1 } },
          '/admin/approvals/7': { answered: { data: approval } },
        },
        prepare: (page) => main(page).locator('tbody td:last-child button').first().click(),
      },
    ] satisfies Screen[]
  ).map((screen): Screen => ({ ...screen, name: `admin-${screen.name}`, as: 'admin' })),
]
