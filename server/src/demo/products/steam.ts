import { type DemoProduct, steps } from '../demo.ts'

/** Steam has no offers: the buyer names the amount. */
export const steam: DemoProduct = {
  slug: 'steam',
  kind: 'topup',
  category: 'wallets',
  keywords: [
    'steam',
    'steam wallet',
    'valve',
    'cs2',
    'dota',
    'стим',
    'кошелёк стим',
    'кошелек стим',
    'стим баланс',
    'пополнить стим',
    'stim',
    'steam hamyoni',
  ],
  gameCurrency: 'USD',
  imageUrl: '/art/steam.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Steam',
      description:
        'Top up your Steam wallet by login, for any amount and with a 3% commission. The money arrives within 15 minutes; Russia and the CIS.',
      activationInstructions: steps(
        'Find your Steam login: open Steam and look at the account details; it is not the display name.',
        'Enter the login and the amount; we show at once what will be deducted.',
        'Check the login once more and pay.',
        'The money is in your wallet within 15 minutes.',
      ),
    },
    ru: {
      title: 'Steam',
      description:
        'Пополнение кошелька Steam по логину на любую сумму с комиссией 3%. Деньги приходят в течение 15 минут; Россия и СНГ.',
      activationInstructions: steps(
        'Найдите логин Steam: он указан в сведениях об аккаунте и отличается от имени профиля.',
        'Введите логин и сумму: мы сразу покажем, сколько будет списано.',
        'Ещё раз проверьте логин и оплатите.',
        'Деньги поступят в кошелёк в течение 15 минут.',
      ),
    },
    uz: {
      title: 'Steam',
      description:
        'Steam hamyonini login boʻyicha istalgan summaga 3% komissiya bilan toʻldirish. Pul 15 daqiqa ichida tushadi; Rossiya va MDH.',
      activationInstructions: steps(
        'Steam loginingizni toping: u hisob maʼlumotlarida koʻrsatilgan va profil nomidan farq qiladi.',
        'Login va summani kiriting: qancha yechilishini darhol koʻrsatamiz.',
        'Loginni yana bir bor tekshiring va toʻlang.',
        'Pul 15 daqiqa ichida hamyoningizga tushadi.',
      ),
    },
  },
  regions: [],
  offers: [],
  codePattern: 'XXXXX-XXXXX-XXXXX',
}
