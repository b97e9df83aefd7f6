import { type DemoProduct, steps, topupOffers } from '../demo.ts'

export const pubg: DemoProduct = {
  slug: 'pubg',
  kind: 'topup',
  category: 'games',
  keywords: [
    'pubg',
    'pubg mobile',
    'pubgm',
    'uc',
    'unknown cash',
    'пабг',
    'пубг',
    'пабджи',
    'юси',
    'ук',
    'pabji',
    'pabg',
  ],
  gameCurrency: 'UC',
  imageUrl: '/art/pubg.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'PUBG Mobile',
      description:
        'UC straight to your account by player ID, no password needed. Enter the amount you want and we put together the best packages.',
      activationInstructions: steps(
        'Open PUBG Mobile, tap your picture and copy the player ID.',
        'Enter the ID here, press Find and check that the nickname is yours.',
        'Choose the packages and pay.',
        'The UC arrive on your account by themselves; if you do not see them, restart the game.',
      ),
    },
    ru: {
      title: 'PUBG Mobile',
      description:
        'UC сразу на аккаунт по ID игрока, пароль не нужен. Введите нужную сумму, и мы сами подберём выгодные пакеты.',
      activationInstructions: steps(
        'Откройте PUBG Mobile, нажмите на своё фото и скопируйте ID игрока.',
        'Введите ID здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
        'Выберите пакеты и оплатите.',
        'UC придут на аккаунт сами; если их не видно, перезапустите игру.',
      ),
    },
    uz: {
      title: 'PUBG Mobile',
      description:
        'UC oʻyinchi ID raqami boʻyicha toʻgʻridan-toʻgʻri hisobingizga tushadi, parol kerak emas. Kerakli miqdorni kiriting, qulay paketlarni oʻzimiz tanlaymiz.',
      activationInstructions: steps(
        'PUBG Mobile oʻyinini oching, suratingizni bosing va oʻyinchi ID raqamini nusxalang.',
        'ID raqamini shu yerga kiriting, «Topish» tugmasini bosing va nik sizniki ekanini tekshiring.',
        'Paketlarni tanlang va toʻlang.',
        'UC hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
      ),
    },
  },
  regions: [],
  offers: topupOffers(
    (amount) => `pubg_mobile_auto/${amount}_uc`,
    [
      [60, 99, 79_00],
      [325, 4_89, 389_00, 'popular'],
      [385, 5_78, 459_00],
      [660, 9_69, 769_00, 'popular'],
      [720, 10_39, 829_00],
      [985, 14_09, 1119_00],
      [1320, 18_79, 1489_00],
      [1800, 23_99, 1909_00, 'popular'],
      [1920, 25_49, 2029_00],
      [2460, 32_29, 2569_00],
      [3850, 47_49, 3779_00],
      [5650, 68_49, 5449_00],
      [8100, 94_99, 7549_00],
      [9900, 114_99, 9149_00],
      [11950, 137_99, 10979_00],
      [16200, 185_99, 14799_00],
    ],
  ),
  codePattern: 'XXXXXXXXXXXXXXXXXX',
  pool: { 660: 20, 1800: 12, 3850: 5 },
}
