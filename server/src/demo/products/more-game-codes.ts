import { codes, offersIn, steps, words } from '../demo.ts'

const mobileLegends = codes({
  slug: 'mobile-legends',
  color: '#3457e8',
  category: 'games',
  keywords: words(
    'mobile legends, mlbb, bang bang, diamonds',
    'мобайл легендс, мобильные легенды, млбб, алмазы',
    'olmos, olmoslar, mobayl lejends',
  ),
  gameCurrency: 'Diamonds',
  texts: {
    en: {
      title: 'Mobile Legends',
      description:
        'Diamonds for heroes, skins and the Starlight pass in Mobile Legends: Bang Bang. The larger the package, the cheaper each diamond.',
      activationInstructions: steps(
        'Open m.mobilelegends.com/en/codexchange in a browser.',
        'Enter the code from your order and your game ID with the server number; both are in your profile.',
        'Press “Send”, then take the verification code from your in-game mail and enter it.',
        'Press “Redeem”. The diamonds arrive in your in-game mail.',
      ),
    },
    ru: {
      title: 'Mobile Legends',
      description:
        'Алмазы на героев, облики и абонемент Starlight в Mobile Legends: Bang Bang. Чем больше пакет, тем дешевле каждый алмаз.',
      activationInstructions: steps(
        'Откройте в браузере m.mobilelegends.com/en/codexchange.',
        'Введите код из заказа и игровой ID с номером сервера: они указаны в вашем профиле.',
        'Нажмите «Send», затем возьмите проверочный код из игровой почты и введите его.',
        'Нажмите «Redeem». Алмазы придут на игровую почту.',
      ),
    },
    uz: {
      title: 'Mobile Legends',
      description:
        'Mobile Legends: Bang Bang oʻyinida qahramonlar, skinlar va Starlight abonementi uchun olmoslar. Paket qancha katta boʻlsa, har bir olmos shuncha arzon.',
      activationInstructions: steps(
        'Brauzerda m.mobilelegends.com/en/codexchange sahifasini oching.',
        'Buyurtmadagi kodni hamda server raqami bilan birga oʻyin ID raqamingizni kiriting: ular profilingizda koʻrsatilgan.',
        '“Send” tugmasini bosing, soʻng oʻyin pochtasiga kelgan tasdiqlash kodini kiriting.',
        '“Redeem” tugmasini bosing. Olmoslar oʻyin pochtasiga keladi.',
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
})

/** Its stock is low on purpose, so that the shop has something to alert the operator about. */
const genshinImpact = codes({
  slug: 'genshin-impact',
  color: '#2fb6a8',
  category: 'games',
  keywords: words(
    'genshin, genshin impact, genesis crystals, primogems, hoyoverse',
    'геншин, геншин импакт, кристаллы, кристаллы сотворения',
    'genshin kristallari, kristall',
  ),
  gameCurrency: 'Genesis Crystals',
  texts: {
    en: {
      title: 'Genshin Impact',
      description:
        'Genesis Crystals to exchange for Primogems and outfits. One code works on the Europe, America and Asia servers.',
      activationInstructions: steps(
        'Make sure your Adventure Rank is 10 or higher.',
        'Open genshin.hoyoverse.com/gift and log in to your HoYoverse account.',
        'Choose your server, enter the code from your order and press “Redeem”.',
        'Collect the crystals from the in-game mail.',
      ),
    },
    ru: {
      title: 'Genshin Impact',
      description:
        'Кристаллы Сотворения для обмена на Камни Истока и наряды. Один код подходит для серверов Европы, Америки и Азии.',
      activationInstructions: steps(
        'Убедитесь, что ваш ранг приключений не ниже 10.',
        'Откройте genshin.hoyoverse.com/gift и войдите в аккаунт HoYoverse.',
        'Выберите сервер, введите код из заказа и подтвердите обмен (Redeem).',
        'Заберите кристаллы из внутриигровой почты.',
      ),
    },
    uz: {
      title: 'Genshin Impact',
      description:
        'Primogems va liboslarga almashtirish uchun Genesis Crystals. Bitta kod Yevropa, Amerika va Osiyo serverlarida ishlaydi.',
      activationInstructions: steps(
        'Sarguzasht darajangiz (Adventure Rank) 10 yoki undan yuqori ekaniga ishonch hosil qiling.',
        'genshin.hoyoverse.com/gift sahifasini oching va HoYoverse hisobingizga kiring.',
        'Serveringizni tanlang, buyurtmadagi kodni kiriting va “Redeem” tugmasini bosing.',
        'Kristallarni oʻyin ichidagi pochtadan oling.',
      ),
    },
  },
  offers: offersIn(null, [
    [60, 99, 79_00, 3],
    [330, 4_79, 379_00, 2, 'popular'],
    [1090, 14_29, 1139_00, 2, 'popular'],
    [2240, 28_49, 2269_00, 1],
    [3880, 46_99, 3739_00, 1],
    [8080, 92_99, 7399_00, 1],
  ]),
  codePattern: 'XXXXXXXXXXXX',
})

const valorant = codes({
  slug: 'valorant',
  color: '#ff4655',
  category: 'games',
  keywords: words(
    'valorant, vp, valorant points, riot, riot games',
    'валорант, вп, очки валорант, риот',
    'gift card',
    'подарочная карта',
    'sovgʻa kartasi',
  ),
  gameCurrency: 'VP',
  texts: {
    en: {
      title: 'Valorant',
      description:
        'Valorant Points for weapon skins, agents and the Battle Pass. Choose the region of your Riot account before you pay.',
      activationInstructions: steps(
        'Check the region of your Riot account: it must match the region of the code.',
        'Start Valorant and press the VP icon at the top right.',
        'Choose “Prepaid Cards & Codes”, enter the code from your order and press “Submit”.',
        'The VP appear in your balance at once.',
      ),
    },
    ru: {
      title: 'Valorant',
      description:
        'Valorant Points на скины оружия, агентов и боевой пропуск. Перед оплатой выберите регион своего аккаунта Riot.',
      activationInstructions: steps(
        'Проверьте регион своего аккаунта Riot: он должен совпадать с регионом кода.',
        'Запустите Valorant и нажмите значок VP вверху справа.',
        'Выберите раздел предоплаченных карт и кодов (Prepaid Cards & Codes), введите код из заказа и подтвердите.',
        'VP сразу появятся на балансе.',
      ),
    },
    uz: {
      title: 'Valorant',
      description:
        'Qurol skinlari, agentlar va Battle Pass uchun Valorant Points. Toʻlashdan oldin Riot hisobingiz mintaqasini tanlang.',
      activationInstructions: steps(
        'Riot hisobingiz mintaqasini tekshiring: u kod mintaqasiga mos kelishi kerak.',
        'Valorant oʻyinini ishga tushiring va yuqori oʻng burchakdagi VP belgisini bosing.',
        '“Prepaid Cards & Codes” boʻlimini tanlang, buyurtmadagi kodni kiriting va “Submit” tugmasini bosing.',
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
})

export const demoMoreGameCodes = [mobileLegends, genshinImpact, valorant]
