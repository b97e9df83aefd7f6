import { type DemoProduct, offersIn, steps } from '../demo.ts'

export const mobileLegends: DemoProduct = {
  slug: 'mobile-legends',
  kind: 'code',
  category: 'games',
  keywords: [
    'mobile legends',
    'mlbb',
    'bang bang',
    'diamonds',
    'мобайл легендс',
    'мобильные легенды',
    'млбб',
    'алмазы',
    'olmos',
    'olmoslar',
    'mobayl lejends',
  ],
  gameCurrency: 'Diamonds',
  imageUrl: '/art/mobile-legends.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Mobile Legends',
      description:
        'Diamonds for heroes, skins and the Starlight pass in Mobile Legends: Bang Bang. The larger the package, the cheaper each diamond.',
      activationInstructions: steps(
        'Open m.mobilelegends.com/en/codexchange in a browser.',
        'Enter the code from your receipt and your game ID with the server number; both are in your profile.',
        'Press Send, then take the verification code from your in-game mail and enter it.',
        'Press Redeem. The diamonds arrive in your in-game mail.',
      ),
    },
    ru: {
      title: 'Mobile Legends',
      description:
        'Алмазы на героев, облики и абонемент Starlight в Mobile Legends: Bang Bang. Чем больше пакет, тем дешевле каждый алмаз.',
      activationInstructions: steps(
        'Откройте в браузере m.mobilelegends.com/en/codexchange.',
        'Введите код из чека и игровой ID с номером сервера: они указаны в вашем профиле.',
        'Нажмите Send, затем возьмите проверочный код из игровой почты и введите его.',
        'Нажмите Redeem. Алмазы придут на игровую почту.',
      ),
    },
    uz: {
      title: 'Mobile Legends',
      description:
        'Mobile Legends: Bang Bang oʻyinida qahramonlar, skinlar va Starlight abonementi uchun olmoslar. Paket qancha katta boʻlsa, har bir olmos shuncha arzon.',
      activationInstructions: steps(
        'Brauzerda m.mobilelegends.com/en/codexchange sahifasini oching.',
        'Chekdagi kodni hamda server raqami bilan birga oʻyin ID raqamingizni kiriting: ular profilingizda koʻrsatilgan.',
        'Send tugmasini bosing, soʻng oʻyin pochtasiga kelgan tasdiqlash kodini kiriting.',
        'Redeem tugmasini bosing. Olmoslar oʻyin pochtasiga keladi.',
      ),
    },
  },
  regions: [
    { code: 'UZ', gameCurrency: null },
    { code: 'RU', gameCurrency: null },
  ],
  offers: [
    ...offersIn(null, [
      [56, 1_09, 85_00, 60],
      [86, 1_49, 119_00, 60, 'popular'],
      [172, 2_95, 235_00, 47],
      [257, 4_39, 349_00, 41, 'popular'],
      [344, 5_85, 465_00, 28],
      [429, 7_25, 579_00, 23],
      [514, 8_65, 689_00, 33],
      [706, 11_79, 939_00, 38, 'popular'],
      [1050, 17_39, 1389_00, 16],
      [1412, 23_19, 1859_00, 12],
      [2195, 35_49, 2839_00, 15],
      [3688, 58_49, 4679_00, 7],
      [5532, 86_49, 6899_00, 4],
      [9288, 142_99, 11399_00, 0],
    ]),
    ...offersIn('UZ', [
      [86, 1_39, 109_00, 54, 'popular'],
      [172, 2_75, 215_00, 42],
      [257, 4_09, 319_00, 37, 'popular'],
      [514, 8_15, 635_00, 26],
      [706, 11_09, 869_00, 20, 'popular'],
      [2195, 33_49, 2659_00, 9],
    ]),
    ...offersIn('RU', [
      [35, 69, 55_00, 50],
      [55, 1_05, 85_00, 46, 'popular'],
      [165, 2_99, 239_00, 39, 'popular'],
      [275, 4_89, 389_00, 27],
      [565, 9_79, 779_00, 18, 'popular'],
      [1155, 19_49, 1549_00, 11],
    ]),
  ],
  codePattern: 'XXXX-XXXX-XXXX-XXXX',
}
