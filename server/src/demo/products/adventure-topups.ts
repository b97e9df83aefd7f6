import { atG2bulk, atSandbox, type DemoField, inLanguages, texts, topup, topupOffers, words } from '../demo.ts'

const uid: DemoField = {
  key: 'user_id',
  type: 'digits',
  labels: inLanguages('UID', 'UID', 'UID'),
  hints: inLanguages('9 или 10 цифр из профиля', '9 or 10 digits from the profile', 'Profildagi 9 yoki 10 raqam'),
  lengthMin: 9,
  lengthMax: 10,
}

const serverLabels = inLanguages('Сервер', 'Server', 'Server')
const places = {
  america: inLanguages('Америка', 'America', 'Amerika'),
  europe: inLanguages('Европа', 'Europe', 'Yevropa'),
  asia: inLanguages('Азия', 'Asia', 'Osiyo'),
  china: inLanguages('TW, HK, MO', 'TW, HK, MO', 'TW, HK, MO'),
  southeast: inLanguages('Юго-Восточная Азия', 'Southeast Asia', 'Janubi-Sharqiy Osiyo'),
}

/** Makes the field of a server, whose choices are called by what the game calls them. */
const serverField = (names: Partial<Record<keyof typeof places, string>>): DemoField => ({
  key: 'server',
  type: 'select',
  labels: serverLabels,
  options: Object.entries(names).map(([place, value]) => ({ value, labels: places[place as keyof typeof places] })),
})

const hoyoverseServer = serverField({ europe: 'os_euro', asia: 'os_asia', america: 'os_usa', china: 'os_cht' })

const genshin = topup({
  slug: 'genshin-topup',
  color: '#46bd5c',
  category: 'games',
  keywords: words(
    'genshin, genshin impact, genesis crystals, welkin, primogems, hoyoverse, uid',
    'геншин, геншин импакт, кристаллы сотворения, полая луна, примогемы',
    'genshin kristallari',
  ),
  gameCurrency: 'Genesis Crystals',
  playerCheck: 'offered',
  promisedMinutes: 30,
  fields: [uid, hoyoverseServer],
  services: [atG2bulk('genshin', { player_id: '{user_id}', server_id: '{server}' }), atSandbox('genshin_impact')],
  texts: {
    en: texts(
      'Genshin Impact by UID',
      'Genesis Crystals and the Blessing of the Welkin Moon to your account by UID and server, no password needed.',
      'Open the Paimon menu in the game and copy the UID under your name.',
      'Enter the UID here and choose the server you play on.',
      'Choose a package and pay.',
      'The crystals arrive on your account by themselves; if you do not see them, log in to the game again.',
    ),
    ru: texts(
      'Genshin Impact по UID',
      'Кристаллы Сотворения и Благословение полой луны на аккаунт по UID и серверу, пароль не нужен.',
      'Откройте в игре меню Паймон и скопируйте UID под своим никнеймом.',
      'Введите UID здесь и выберите сервер, на котором играете.',
      'Выберите пакет и оплатите.',
      'Кристаллы придут на аккаунт сами; если их не видно, войдите в игру заново.',
    ),
    uz: texts(
      'Genshin Impact UID boʻyicha',
      'Genesis Crystals va Blessing of the Welkin Moon UID va server boʻyicha hisobingizga tushadi, parol kerak emas.',
      'Oʻyinda Paimon menyusini oching va nikingiz ostidagi UID raqamini nusxalang.',
      'UID raqamini shu yerga kiriting va oʻynaydigan serveringizni tanlang.',
      'Paketni tanlang va toʻlang.',
      'Kristallar hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinga qaytadan kiring.',
    ),
  },
  offers: topupOffers(
    'genshin_impact',
    'genesis_crystals',
    [
      [60, 95, 75_00],
      [300, 4_69, 369_00, 'popular'],
      [980, 14_09, 1119_00, 'popular'],
      [1980, 27_99, 2229_00],
      [3280, 46_29, 3679_00],
      [6480, 91_39, 7249_00],
    ],
    [['Blessing of the Welkin Moon', 'blessing', 4_69, 369_00, 'popular']],
  ),
})

const honkaiStarRail = topup({
  slug: 'honkai-star-rail-topup',
  color: '#8f7bff',
  category: 'games',
  keywords: words(
    'honkai, honkai star rail, hsr, star rail, oneiric shards, stellar jade, hoyoverse',
    'хонкай, хонкай стар рейл, стар рейл, хср, звёздный нефрит',
    'xonkay',
  ),
  gameCurrency: 'Oneiric Shards',
  playerCheck: 'none',
  promisedMinutes: 30,
  fields: [uid, hoyoverseServer],
  services: [atSandbox('honkai_star_rail')],
  texts: {
    en: texts(
      'Honkai: Star Rail',
      'Oneiric Shards to exchange for Stellar Jade, and the Express Supply Pass for 30 days. By UID and server, no password needed.',
      'Open the phone menu in the game and copy the UID from your profile.',
      'Enter the UID here and choose the server you play on; check both, as the game does not tell names.',
      'Choose a package and pay.',
      'The shards arrive on your account by themselves; if you do not see them, log in to the game again.',
    ),
    ru: texts(
      'Honkai: Star Rail',
      'Сущность древних снов для обмена на звёздный нефрит и пропуск снабжения Экспресса на 30 дней. По UID и серверу, пароль не нужен.',
      'Откройте в игре меню телефона и скопируйте UID из профиля.',
      'Введите UID здесь и выберите сервер, на котором играете; проверьте их: игра не сообщает никнеймы.',
      'Выберите пакет и оплатите.',
      'Покупка придёт на аккаунт сама; если её не видно, войдите в игру заново.',
    ),
    uz: texts(
      'Honkai: Star Rail',
      'Stellar Jade sotib olish uchun Oneiric Shards va 30 kunlik Express Supply Pass. UID va server boʻyicha, parol kerak emas.',
      'Oʻyinda telefon menyusini oching va profildan UID raqamini nusxalang.',
      'UID raqamini shu yerga kiriting va serveringizni tanlang; ikkalasini tekshiring: oʻyin niklarni aytmaydi.',
      'Paketni tanlang va toʻlang.',
      'Xarid hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinga qaytadan kiring.',
    ),
  },
  offers: topupOffers(
    'honkai_star_rail',
    'oneiric_shards',
    [
      [60, 97, 77_00],
      [300, 4_75, 379_00, 'popular'],
      [980, 14_19, 1129_00],
      [1980, 28_29, 2249_00],
      [3280, 46_79, 3719_00],
      [6480, 92_29, 7339_00],
    ],
    [['Express Supply Pass', 'supply_pass', 4_75, 379_00, 'popular']],
  ),
})

const wutheringWaves = topup({
  slug: 'wuthering-waves-topup',
  color: '#4a9893',
  category: 'games',
  keywords: words(
    'wuthering waves, wuwa, lunite, lunites, astrite, kuro',
    'вувер вейвс, вазеринг вейвс, вува, луниты, лунит',
    'vuva',
  ),
  gameCurrency: 'Lunites',
  playerCheck: 'none',
  promisedMinutes: 30,
  fields: [
    {
      ...uid,
      hints: inLanguages('9 цифр из профиля', '9 digits from the profile', 'Profildagi 9 raqam'),
      lengthMax: 9,
    },
    serverField({ europe: 'Europe', asia: 'Asia', southeast: 'SEA', america: 'America', china: 'HMT' }),
  ],
  texts: {
    en: texts(
      'Wuthering Waves',
      'Lunites and the Lunite Subscription for 30 days, to your account by UID and server. No password needed.',
      'Open the terminal in the game and copy the UID of your account.',
      'Enter the UID here and choose the server you play on.',
      'Choose a package and pay.',
      'The Lunites arrive on your account by themselves; if you do not see them, log in to the game again.',
    ),
    ru: texts(
      'Wuthering Waves',
      'Луниты и подписка Lunite Subscription на 30 дней: на аккаунт по UID и серверу, пароль не нужен.',
      'Откройте в игре терминал и скопируйте UID своего аккаунта.',
      'Введите UID здесь и выберите сервер, на котором играете.',
      'Выберите пакет и оплатите.',
      'Луниты придут на аккаунт сами; если их не видно, войдите в игру заново.',
    ),
    uz: texts(
      'Wuthering Waves',
      'Lunites va 30 kunlik Lunite Subscription obunasi UID va server boʻyicha hisobingizga tushadi. Parol kerak emas.',
      'Oʻyinda terminalni oching va hisobingizning UID raqamini nusxalang.',
      'UID raqamini shu yerga kiriting va oʻynaydigan serveringizni tanlang.',
      'Paketni tanlang va toʻlang.',
      'Lunites hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinga qaytadan kiring.',
    ),
  },
  offers: topupOffers(
    'wuthering_waves',
    'lunites',
    [
      [60, 96, 75_00],
      [330, 4_62, 369_00, 'popular'],
      [1090, 13_89, 1099_00],
      [2240, 27_59, 2189_00],
      [3880, 45_69, 3629_00],
      [8080, 90_49, 7189_00],
    ],
    [['Lunite Subscription', 'lunite_subscription', 4_62, 369_00, 'popular']],
  ),
})

export const demoAdventureTopups = [genshin, honkaiStarRail, wutheringWaves]
