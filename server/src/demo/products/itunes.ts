import { type DemoProduct, offersIn, steps } from '../demo.ts'

export const itunes: DemoProduct = {
  slug: 'itunes',
  kind: 'code',
  category: 'gift-cards',
  keywords: [
    'itunes',
    'apple',
    'app store',
    'icloud',
    'apple id',
    'айтюнс',
    'эпл',
    'эппл',
    'апп стор',
    'айклауд',
    'gift card',
    'подарочная карта',
    'sovgʻa kartasi',
    'aytyuns',
  ],
  gameCurrency: 'USD',
  imageUrl: '/art/itunes.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'iTunes',
      description:
        'A gift card for the Apple account balance: apps, games, iCloud+, music and subscriptions. Pick the country of your Apple account.',
      activationInstructions: steps(
        'Check that the country of your Apple account matches the region of the card.',
        'Open the App Store and tap your picture at the top.',
        'Choose Redeem Gift Card or Code, then Enter Code Manually.',
        'Enter the code from your receipt and tap Redeem; the balance grows at once.',
      ),
    },
    ru: {
      title: 'iTunes',
      description:
        'Подарочная карта для баланса Apple: приложения, игры, iCloud+, музыка и подписки. Выберите страну своего аккаунта Apple.',
      activationInstructions: steps(
        'Проверьте, что страна вашего аккаунта Apple совпадает с регионом карты.',
        'Откройте App Store и нажмите на своё фото вверху экрана.',
        'Выберите погашение подарочной карты или кода и ввод вручную.',
        'Введите код из чека и подтвердите: баланс сразу пополнится.',
      ),
    },
    uz: {
      title: 'iTunes',
      description:
        'Apple hisobi balansi uchun sovgʻa kartasi: ilovalar, oʻyinlar, iCloud+, musiqa va obunalar. Apple hisobingiz mamlakatini tanlang.',
      activationInstructions: steps(
        'Apple hisobingiz mamlakati karta mintaqasiga mos kelishini tekshiring.',
        'App Store doʻkonini oching va ekran yuqorisidagi suratingizni bosing.',
        'Redeem Gift Card or Code boʻlimini, soʻng kodni qoʻlda kiritishni tanlang.',
        'Chekdagi kodni kiriting va tasdiqlang: balans darhol toʻldiriladi.',
      ),
    },
  },
  regions: [
    { code: 'US', gameCurrency: 'USD' },
    { code: 'TR', gameCurrency: 'TRY' },
    { code: 'RU', gameCurrency: 'RUB' },
    { code: 'KZ', gameCurrency: 'KZT' },
  ],
  offers: [
    ...offersIn('US', [
      [5, 5_49, 435_00, 53],
      [10, 10_79, 855_00, 60, 'popular'],
      [15, 15_99, 1269_00, 33],
      [20, 21_29, 1689_00, 28],
      [25, 26_49, 2099_00, 41, 'popular'],
      [50, 52_79, 4179_00, 22, 'popular'],
      [100, 104_99, 8309_00, 12],
      [200, 208_99, 16539_00, 3],
    ]),
    ...offersIn('TR', [
      [50, 1_49, 119_00, 48],
      [100, 2_89, 229_00, 56, 'popular'],
      [250, 7_15, 565_00, 37, 'popular'],
      [500, 14_19, 1119_00, 25],
      [1000, 27_99, 2209_00, 16],
      [2000, 55_49, 4379_00, 7],
    ]),
    ...offersIn('RU', [
      [500, 7_09, 559_00, 60, 'popular'],
      [1000, 13_99, 1099_00, 52, 'popular'],
      [1500, 20_79, 1639_00, 34],
      [2000, 27_59, 2179_00, 30, 'popular'],
      [2500, 34_39, 2719_00, 19],
      [3000, 41_19, 3249_00, 17],
      [4000, 54_79, 4319_00, 11],
      [5000, 68_29, 5389_00, 13],
      [7000, 95_29, 7529_00, 5],
      [10000, 135_99, 10749_00, 2],
    ]),
    ...offersIn('KZ', [
      [5000, 10_29, 819_00, 26, 'popular'],
      [10000, 20_39, 1619_00, 18],
      [15000, 30_49, 2419_00, 10],
      [25000, 50_49, 4009_00, 6],
      [50000, 100_49, 7979_00, 2],
    ]),
  ],
  codePattern: 'XXXXXXXXXXXXXXXX',
}
