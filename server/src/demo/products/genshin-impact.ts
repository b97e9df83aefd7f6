import { type DemoProduct, offersIn, steps } from '../demo.ts'

/** Its stock is low on purpose, so that the shop has something to alert the operator about. */
export const genshinImpact: DemoProduct = {
  slug: 'genshin-impact',
  kind: 'code',
  category: 'games',
  keywords: [
    'genshin',
    'genshin impact',
    'genesis crystals',
    'primogems',
    'hoyoverse',
    'геншин',
    'геншин импакт',
    'кристаллы',
    'кристаллы сотворения',
    'genshin kristallari',
    'kristall',
  ],
  gameCurrency: 'Genesis Crystals',
  imageUrl: '/art/genshin-impact.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Genshin Impact',
      description:
        'Genesis Crystals to exchange for Primogems and outfits. One code works on the Europe, America and Asia servers.',
      activationInstructions: steps(
        'Make sure your Adventure Rank is 10 or higher.',
        'Open genshin.hoyoverse.com/gift and log in to your HoYoverse account.',
        'Choose your server, enter the code from your receipt and press Redeem.',
        'Collect the crystals from the in-game mail.',
      ),
    },
    ru: {
      title: 'Genshin Impact',
      description:
        'Кристаллы Сотворения для обмена на Камни Истока и наряды. Один код подходит к серверам Европы, Америки и Азии.',
      activationInstructions: steps(
        'Убедитесь, что ваш ранг приключений не ниже 10.',
        'Откройте genshin.hoyoverse.com/gift и войдите в аккаунт HoYoverse.',
        'Выберите сервер, введите код из чека и подтвердите обмен.',
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
        'Serveringizni tanlang, chekdagi kodni kiriting va Redeem tugmasini bosing.',
        'Kristallarni oʻyin ichidagi pochtadan oling.',
      ),
    },
  },
  regions: [],
  offers: offersIn(null, [
    [60, 99, 79_00, 3],
    [330, 4_79, 379_00, 2, 'popular'],
    [1090, 14_29, 1139_00, 2, 'popular'],
    [2240, 28_49, 2269_00, 1],
    [3880, 46_99, 3739_00, 1],
    [8080, 92_99, 7399_00, 1],
  ]),
  codePattern: 'XXXXXXXXXXXX',
}
