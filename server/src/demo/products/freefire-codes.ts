import { type DemoProduct, offersIn, steps } from '../demo.ts'

/** The shop makes these codes itself; each delivers the denomination of Free Fire with its amount. */
export const freefireCodes: DemoProduct = {
  slug: 'freefire-codes',
  kind: 'code',
  category: 'games',
  keywords: [
    'free fire code',
    'free fire codes',
    'freefire',
    'ff code',
    'diamonds',
    'gift',
    'код фри фаер',
    'коды фри фаер',
    'фри фаер',
    'алмазы',
    'подарок',
    'fri fayer kodi',
    'olmos',
    'sovgʻa',
  ],
  gameCurrency: 'Diamonds',
  imageUrl: '/art/freefire-codes.svg',
  supportsCodeGeneration: true,
  codePrefix: 'FF',
  codeGame: 'freefire',
  texts: {
    en: {
      title: 'Free Fire codes',
      description:
        'Diamonds as a code: keep it, or give it to a friend. Whoever has it activates it here with a player ID, whenever they like.',
      activationInstructions: steps(
        'Open the Free Fire page of this shop and choose the activation tab.',
        'Enter the player ID, press Find and check that the nickname is right.',
        'Enter the code from the receipt and press Activate now.',
        'The diamonds arrive on the account by themselves; each code works once.',
      ),
    },
    ru: {
      title: 'Коды Free Fire',
      description:
        'Алмазы в виде кода: оставьте себе или подарите другу. Владелец активирует его здесь по ID игрока, когда захочет.',
      activationInstructions: steps(
        'Откройте в нашем магазине страницу Free Fire и выберите вкладку активации.',
        'Введите ID игрока, нажмите «Найти» и проверьте никнейм.',
        'Введите код из чека и нажмите «Активировать».',
        'Алмазы придут на аккаунт сами; каждый код срабатывает один раз.',
      ),
    },
    uz: {
      title: 'Free Fire kodlari',
      description:
        'Olmoslar kod koʻrinishida: oʻzingizda saqlang yoki doʻstingizga sovgʻa qiling. Egasi uni shu yerda oʻyinchi ID raqami bilan istagan vaqtda faollashtiradi.',
      activationInstructions: steps(
        'Doʻkonimizdagi Free Fire sahifasini oching va faollashtirish boʻlimini tanlang.',
        'Oʻyinchi ID raqamini kiriting, «Topish» tugmasini bosing va nikni tekshiring.',
        'Chekdagi kodni kiriting va «Faollashtirish» tugmasini bosing.',
        'Olmoslar hisobga oʻzi tushadi; har bir kod bir marta ishlaydi.',
      ),
    },
  },
  regions: [],
  offers: offersIn(null, [
    [100, 99, 79_00, 40],
    [310, 2_89, 229_00, 32, 'popular'],
    [520, 4_79, 379_00, 24, 'popular'],
    [1060, 9_49, 755_00, 14],
    [2180, 18_99, 1509_00, 6],
  ]),
  codePattern: 'FF-XXXX-XXXX-XXXX-XXXX-XXXX',
}
