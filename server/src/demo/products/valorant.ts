import { type DemoProduct, offersIn, steps } from '../demo.ts'

export const valorant: DemoProduct = {
  slug: 'valorant',
  kind: 'code',
  category: 'games',
  keywords: [
    'valorant',
    'vp',
    'valorant points',
    'riot',
    'riot games',
    'валорант',
    'вп',
    'очки валорант',
    'риот',
    'gift card',
    'подарочная карта',
    'sovgʻa kartasi',
  ],
  gameCurrency: 'VP',
  imageUrl: '/art/valorant.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Valorant',
      description:
        'Valorant Points for weapon skins, agents and the Battle Pass. Choose the region of your Riot account before you pay.',
      activationInstructions: steps(
        'Check the region of your Riot account: it must match the region of the code.',
        'Start Valorant and press the VP icon at the top right.',
        'Choose Prepaid Cards & Codes, enter the code from your receipt and press Submit.',
        'The points appear in your balance at once.',
      ),
    },
    ru: {
      title: 'Valorant',
      description:
        'Valorant Points на скины оружия, агентов и боевой пропуск. Перед оплатой выберите регион своего аккаунта Riot.',
      activationInstructions: steps(
        'Проверьте регион своего аккаунта Riot: он должен совпадать с регионом кода.',
        'Запустите Valorant и нажмите значок VP вверху справа.',
        'Выберите предоплаченные карты и коды, введите код из чека и подтвердите.',
        'Очки сразу появятся на балансе.',
      ),
    },
    uz: {
      title: 'Valorant',
      description:
        'Qurol skinlari, agentlar va Battle Pass uchun Valorant Points. Toʻlashdan oldin Riot hisobingiz mintaqasini tanlang.',
      activationInstructions: steps(
        'Riot hisobingiz mintaqasini tekshiring: u kod mintaqasiga mos kelishi kerak.',
        'Valorant oʻyinini ishga tushiring va yuqori oʻng burchakdagi VP belgisini bosing.',
        'Prepaid Cards & Codes boʻlimini tanlang, chekdagi kodni kiriting va Submit tugmasini bosing.',
        'VP darhol balansingizda paydo boʻladi.',
      ),
    },
  },
  regions: [
    { code: 'TR', gameCurrency: null },
    { code: 'EU', gameCurrency: null },
    { code: 'KZ', gameCurrency: null },
    { code: 'US', gameCurrency: null },
  ],
  offers: [
    ...offersIn('TR', [
      [475, 3_79, 299_00, 60, 'popular'],
      [1000, 7_69, 609_00, 49, 'popular'],
      [2050, 15_49, 1229_00, 35, 'popular'],
      [3650, 26_99, 2139_00, 20],
      [5350, 38_99, 3089_00, 13],
      [11000, 77_99, 6189_00, 4],
    ]),
    ...offersIn('EU', [
      [475, 5_29, 419_00, 40],
      [1000, 10_49, 835_00, 32, 'popular'],
      [2050, 20_99, 1669_00, 24, 'popular'],
      [3650, 36_49, 2899_00, 15],
      [5350, 52_49, 4179_00, 10],
      [11000, 104_99, 8349_00, 3],
    ]),
    ...offersIn('KZ', [
      [475, 4_29, 339_00, 29],
      [1000, 8_69, 689_00, 22, 'popular'],
      [2050, 17_39, 1379_00, 14],
      [5350, 43_49, 3449_00, 6],
    ]),
    ...offersIn('US', [
      [475, 4_89, 389_00, 26],
      [1000, 9_79, 779_00, 30, 'popular'],
      [2050, 19_49, 1549_00, 17],
      [3650, 33_99, 2699_00, 8],
      [5350, 48_49, 3859_00, 5],
    ]),
  ],
  codePattern: 'RA-XXXXXXXXXXXXXXXX',
}
