import { type DemoField, texts, topup, topupOffers, words } from '../demo.ts'

const playerId: DemoField = {
  key: 'player_id',
  type: 'digits',
  labels: { ru: 'ID игрока', en: 'Player ID', uz: 'Oʻyinchi ID raqami' },
  lengthMax: 32,
}

const pubg = topup({
  slug: 'pubg',
  color: '#f2a81d',
  category: 'games',
  keywords: words('pubg, pubg mobile, pubgm, uc, unknown cash', 'пабг, пубг, пабджи, юси, ук', 'pabji, pabg'),
  gameCurrency: 'UC',
  pricing: 'combination',
  playerCheck: 'required',
  promisedMinutes: 15,
  presets: [385, 720, 1920],
  fields: [playerId],
  services: [
    { supplier: 'fazercards', reference: 'pubg_mobile_auto', checkReference: 'pubg_mobile' },
    { supplier: 'g2bulk', reference: 'pubgm', checkReference: 'pubgm' },
  ],
  texts: {
    en: texts(
      'PUBG Mobile',
      'UC straight to your account by player ID, no password needed. Enter the amount of UC you want and we combine packages for it.',
      'Open PUBG Mobile, tap your avatar and copy the player ID.',
      'Enter the ID here, press “Find” and check that the nickname is yours.',
      'Choose the packages and pay.',
      'The UC arrive on your account by themselves; if you do not see them, restart the game.',
    ),
    ru: texts(
      'PUBG Mobile',
      'UC сразу на аккаунт по ID игрока, пароль не нужен. Введите, сколько UC нужно, и мы сами подберём пакеты.',
      'Откройте PUBG Mobile, нажмите на свой аватар и скопируйте ID игрока.',
      'Введите ID здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
      'Выберите пакеты и оплатите.',
      'UC придут на аккаунт сами; если их не видно, перезапустите игру.',
    ),
    uz: texts(
      'PUBG Mobile',
      'UC oʻyinchi ID raqami boʻyicha toʻgʻridan-toʻgʻri hisobingizga tushadi, parol kerak emas. Kerakli UC miqdorini kiriting, paketlarni oʻzimiz tanlaymiz.',
      'PUBG Mobile oʻyinini oching, avataringizni bosing va oʻyinchi ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting, “Topish” tugmasini bosing va nik sizniki ekanini tekshiring.',
      'Paketlarni tanlang va toʻlang.',
      'UC hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
    ),
  },
  offers: topupOffers('pubg_mobile_auto', 'uc', [
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
  ]),
  pool: { 660: 20, 1800: 12, 3850: 5 },
})

/** Steam has no offers: the buyer names the amount. */
const steam = topup({
  slug: 'steam',
  color: '#2f7de1',
  category: 'wallets',
  keywords: words(
    'steam, steam wallet, valve, cs2, dota',
    'стим, кошелёк стим, кошелек стим, стим баланс, пополнить стим',
    'stim, steam hamyoni',
  ),
  gameCurrency: 'USD',
  pricing: 'amount',
  playerCheck: 'offered',
  promisedMinutes: 15,
  fields: [
    { key: 'login', type: 'login', labels: { ru: 'Логин Steam', en: 'Steam login', uz: 'Steam login' }, lengthMax: 64 },
  ],
  services: [{ supplier: 'fazercards', reference: 'steam', checkReference: 'steam' }],
  texts: {
    en: texts(
      'Steam',
      'Top up your Steam wallet by login, up to $500 at a time, with a 3% commission. The money arrives within 15 minutes; Russia and the CIS.',
      'Find your Steam login: open Steam and look at the account details; it is not the display name.',
      'Enter the login and the amount; we show at once what will be deducted.',
      'Check the login once more and pay.',
      'The money is in your wallet within 15 minutes.',
    ),
    ru: texts(
      'Steam',
      'Пополнение кошелька Steam по логину: до $500 за раз, комиссия 3\u00a0%. Деньги приходят в течение 15 минут; Россия и СНГ.',
      'Найдите логин Steam: он указан в сведениях об аккаунте и отличается от имени профиля.',
      'Введите логин и сумму: мы сразу покажем, сколько будет списано.',
      'Ещё раз проверьте логин и оплатите.',
      'Деньги поступят в кошелёк в течение 15 минут.',
    ),
    uz: texts(
      'Steam',
      'Steam hamyonini login boʻyicha toʻldirish: bir martada $500 gacha, komissiya 3%. Pul 15 daqiqa ichida tushadi; Rossiya va MDH.',
      'Steam loginingizni toping: u hisob maʼlumotlarida koʻrsatilgan va profil nomidan farq qiladi.',
      'Login va summani kiriting: qancha yechilishini darhol koʻrsatamiz.',
      'Loginni yana bir bor tekshiring va toʻlang.',
      'Pul 15 daqiqa ichida hamyoningizga tushadi.',
    ),
  },
  offers: [],
})

const freefire = topup({
  slug: 'freefire',
  color: '#ff5a1f',
  category: 'games',
  keywords: words(
    'free fire, freefire, ff, garena, diamonds',
    'фри фаер, фрифаер, фри фаир, гарена, алмазы',
    'olmos, olmoslar, fri fayer',
  ),
  gameCurrency: 'Diamonds',
  playerCheck: 'required',
  promisedMinutes: 15,
  fields: [playerId],
  services: [
    { supplier: 'fazercards', reference: 'free_fire_cis', checkReference: 'free_fire' },
    { supplier: 'g2bulk', reference: 'freefire_global', checkReference: 'freefire_global' },
  ],
  texts: {
    en: texts(
      'Free Fire',
      'Diamonds to your Free Fire account by player ID, no password needed. Have a code from us? Activate it on the same page.',
      'Open Free Fire, tap your profile and copy the player ID.',
      'Enter the ID here, press “Find” and check that the nickname is yours.',
      'Choose a package and pay, or open the tab “Activate a code” and enter your code.',
      'The diamonds arrive on your account by themselves; if you do not see them, restart the game.',
    ),
    ru: texts(
      'Free Fire',
      'Алмазы на аккаунт Free Fire по ID игрока, пароль не нужен. Есть наш код? Активируйте его на той же странице.',
      'Откройте Free Fire, зайдите в профиль и скопируйте ID игрока.',
      'Введите ID здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
      'Выберите пакет и оплатите или откройте вкладку «Активация кода» и введите код.',
      'Алмазы придут на аккаунт сами; если их не видно, перезапустите игру.',
    ),
    uz: texts(
      'Free Fire',
      'Olmoslar oʻyinchi ID raqami boʻyicha Free Fire hisobingizga tushadi, parol kerak emas. Bizning kodimiz bormi? Uni shu sahifaning oʻzida faollashtiring.',
      'Free Fire oʻyinini oching, profilingizga kiring va oʻyinchi ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting, “Topish” tugmasini bosing va nik sizniki ekanini tekshiring.',
      'Paketni tanlab toʻlang yoki “Kodni faollashtirish” boʻlimini ochib, kodni kiriting.',
      'Olmoslar hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
    ),
  },
  offers: topupOffers('free_fire_cis', 'diamonds', [
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
  ]),
})

export const demoTopups = [pubg, steam, freefire]
