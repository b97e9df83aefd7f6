import { type DemoProduct, steps, topupOffers } from '../demo.ts'

export const freefire: DemoProduct = {
  slug: 'freefire',
  kind: 'topup',
  category: 'games',
  keywords: [
    'free fire',
    'freefire',
    'ff',
    'garena',
    'diamonds',
    'фри фаер',
    'фрифаер',
    'фри фаир',
    'гарена',
    'алмазы',
    'olmos',
    'olmoslar',
    'fri fayer',
  ],
  gameCurrency: 'Diamonds',
  imageUrl: '/art/freefire.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Free Fire',
      description:
        'Diamonds to your Free Fire account by player ID, no password needed. Have a code from us? Activate it on the same page.',
      activationInstructions: steps(
        'Open Free Fire, tap your profile and copy the player ID.',
        'Enter the ID here, press Find and check that the nickname is yours.',
        'Choose a package and pay, or open the activation tab and enter your code.',
        'The diamonds arrive on your account by themselves; if you do not see them, restart the game.',
      ),
    },
    ru: {
      title: 'Free Fire',
      description:
        'Алмазы на аккаунт Free Fire по ID игрока, пароль не нужен. Есть наш код? Активируйте его на той же странице.',
      activationInstructions: steps(
        'Откройте Free Fire, зайдите в профиль и скопируйте ID игрока.',
        'Введите ID здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
        'Выберите пакет и оплатите или откройте вкладку активации и введите код.',
        'Алмазы придут на аккаунт сами; если их не видно, перезапустите игру.',
      ),
    },
    uz: {
      title: 'Free Fire',
      description:
        'Olmoslar oʻyinchi ID raqami boʻyicha Free Fire hisobingizga tushadi, parol kerak emas. Bizning kodimiz bormi? Uni shu sahifaning oʻzida faollashtiring.',
      activationInstructions: steps(
        'Free Fire oʻyinini oching, profilingizga kiring va oʻyinchi ID raqamini nusxalang.',
        'ID raqamini shu yerga kiriting, «Topish» tugmasini bosing va nik sizniki ekanini tekshiring.',
        'Paketni tanlab toʻlang yoki faollashtirish boʻlimini ochib, kodni kiriting.',
        'Olmoslar hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
      ),
    },
  },
  regions: [],
  offers: topupOffers(
    (amount) => `free_fire_cis/${amount}_diamonds`,
    [
      [50, 50, 40_00],
      [100, 99, 79_00],
      [210, 1_99, 158_00],
      [310, 2_89, 229_00, 'popular'],
      [520, 4_79, 379_00, 'popular'],
      [645, 5_89, 468_00],
      [1060, 9_49, 755_00, 'popular'],
      [1580, 13_99, 1113_00],
      [2180, 18_99, 1509_00],
      [3240, 27_99, 2229_00],
      [4360, 37_29, 2969_00],
      [5600, 47_49, 3779_00],
      [11500, 96_99, 7719_00],
    ],
  ),
  codePattern: 'XXXX-XXXX-XXXX',
}
