import { type DemoProduct, offersIn, steps } from '../demo.ts'

export const roblox: DemoProduct = {
  slug: 'roblox',
  kind: 'code',
  category: 'games',
  keywords: [
    'roblox',
    'robux',
    'роблокс',
    'робукс',
    'робуксы',
    'рб',
    'robuks',
    'gift card',
    'подарочная карта',
    'sovgʻa kartasi',
  ],
  gameCurrency: 'Robux',
  imageUrl: '/art/roblox.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Roblox',
      description:
        'A Robux gift card for avatar items, game passes and private servers. The code works on any Roblox account in any country.',
      activationInstructions: steps(
        'Open roblox.com/redeem in a browser and log in to your account.',
        'Enter the code from your receipt and confirm.',
        'If Roblox shows credit instead of Robux, choose to convert it to Robux.',
        'Check your Robux balance at the top of the page.',
      ),
    },
    ru: {
      title: 'Roblox',
      description:
        'Подарочная карта Robux: вещи для аватара, геймпассы и приватные серверы. Код подходит к любому аккаунту Roblox в любой стране.',
      activationInstructions: steps(
        'Откройте в браузере roblox.com/redeem и войдите в свой аккаунт.',
        'Введите код из чека и подтвердите активацию.',
        'Если Roblox показал кредит, а не Robux, выберите обмен на Robux.',
        'Проверьте баланс Robux вверху страницы.',
      ),
    },
    uz: {
      title: 'Roblox',
      description:
        'Robux sovgʻa kartasi: avatar buyumlari, geympaslar va shaxsiy serverlar uchun. Kod istalgan mamlakatdagi istalgan Roblox hisobiga mos keladi.',
      activationInstructions: steps(
        'Brauzerda roblox.com/redeem sahifasini oching va hisobingizga kiring.',
        'Chekdagi kodni kiriting va tasdiqlang.',
        'Roblox Robux oʻrniga kredit koʻrsatsa, uni Robuxga almashtirishni tanlang.',
        'Sahifaning yuqori qismida Robux balansingizni tekshiring.',
      ),
    },
  },
  regions: [],
  offers: offersIn(null, [
    [100, 1_29, 99_00, 60],
    [200, 2_49, 195_00, 48],
    [400, 4_89, 385_00, 55, 'popular'],
    [800, 9_69, 765_00, 52, 'popular'],
    [1000, 11_99, 949_00, 34],
    [1700, 19_99, 1589_00, 40, 'popular'],
    [2000, 23_29, 1849_00, 22],
    [2700, 31_29, 2489_00, 14],
    [3600, 41_49, 3299_00, 9],
    [4500, 50_99, 4049_00, 18],
    [10000, 109_99, 8739_00, 6],
    [22500, 239_99, 19079_00, 2],
  ]),
  codePattern: 'XXX-XXX-XXXX',
}
