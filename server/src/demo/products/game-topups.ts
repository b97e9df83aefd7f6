import {
  atG2bulk,
  atSandbox,
  type DemoField,
  inLanguages,
  playerTag,
  texts,
  topup,
  topupOffers,
  userId,
  words,
} from '../demo.ts'

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
    [
      [
        inLanguages('Благословение полой луны', 'Blessing of the Welkin Moon', 'Welkin Moon neʼmati'),
        'blessing',
        4_69,
        369_00,
        'popular',
      ],
    ],
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
    [
      [
        inLanguages('Пропуск снабжения Экспресса', 'Express Supply Pass', 'Ekspress taʼminoti abonementi'),
        'supply_pass',
        4_75,
        379_00,
        'popular',
      ],
    ],
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
    [
      [
        inLanguages('Подписка на луниты', 'Lunite Subscription', 'Lunit obunasi'),
        'lunite_subscription',
        4_62,
        369_00,
        'popular',
      ],
    ],
  ),
})

export const demoAdventureTopups = [genshin, honkaiStarRail, wutheringWaves]

const mobileLegends = topup({
  slug: 'mobile-legends-topup',
  color: '#6a55f2',
  category: 'games',
  keywords: words(
    'mobile legends, mlbb, bang bang, diamonds, weekly pass, twilight pass',
    'мобайл легендс, мобильные легенды, млбб, алмазы, недельный пропуск',
    'olmos, olmoslar, mobayl lejends',
  ),
  gameCurrency: 'Diamonds',
  playerCheck: 'required',
  promisedMinutes: 10,
  fields: [
    { ...userId(6, 12), hints: inLanguages('Цифры до скобок', 'The digits before the brackets', 'Qavsgacha raqamlar') },
    {
      key: 'zone_id',
      type: 'digits',
      labels: inLanguages('ID зоны', 'Zone ID', 'Zona ID raqami'),
      hints: inLanguages('4 или 5 цифр в скобках', '4 or 5 digits in the brackets', 'Qavs ichidagi 4 yoki 5 raqam'),
      lengthMin: 4,
      lengthMax: 5,
    },
  ],
  services: [atG2bulk('mlbb', { player_id: '{user_id}', server_id: '{zone_id}' }), atSandbox('mobile_legends')],
  texts: {
    en: texts(
      'Mobile Legends by ID',
      'Diamonds and passes straight to your Mobile Legends: Bang Bang account by player ID and zone, no password needed.',
      'Open your profile in the game: the player ID stands there, and the zone in brackets behind it.',
      'Enter both here, press “Find” and check that the nickname is yours.',
      'Choose a package and pay.',
      'The diamonds arrive on your account by themselves; a pass starts on the day it arrives.',
    ),
    ru: texts(
      'Mobile Legends по ID',
      'Алмазы и пропуски на аккаунт Mobile Legends: Bang Bang по ID игрока и зоне, пароль не нужен.',
      'Откройте в игре профиль: там указан ID игрока, а за ним в скобках зона.',
      'Введите их здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
      'Выберите пакет и оплатите.',
      'Алмазы придут на аккаунт сами; пропуск начинает действовать в день зачисления.',
    ),
    uz: texts(
      'Mobile Legends ID boʻyicha',
      'Olmoslar va abonementlar oʻyinchi ID raqami va zona boʻyicha Mobile Legends: Bang Bang hisobingizga tushadi, parol kerak emas.',
      'Oʻyinda profilingizni oching: u yerda oʻyinchi ID raqami, undan keyin qavs ichida zona koʻrsatilgan.',
      'Ularni shu yerga kiriting, “Topish” tugmasini bosing va nik sizniki ekanini tekshiring.',
      'Paketni tanlang va toʻlang.',
      'Olmoslar hisobingizga oʻzi tushadi; abonement tushgan kundan boshlab ishlaydi.',
    ),
  },
  offers: topupOffers(
    'mobile_legends',
    'diamonds',
    [
      [56, 1_05, 85_00],
      [86, 1_59, 129_00, 'popular'],
      [172, 3_15, 249_00],
      [257, 4_69, 369_00, 'popular'],
      [344, 6_25, 489_00],
      [514, 9_29, 729_00],
      [706, 12_59, 999_00, 'popular'],
      [1412, 24_99, 1989_00],
      [2195, 37_49, 2979_00],
      [3688, 62_49, 4969_00],
      [5532, 93_49, 7429_00],
      [9288, 155_99, 12399_00],
    ],
    [
      [
        inLanguages('Недельный алмазный пропуск', 'Weekly Diamond Pass', 'Haftalik olmos abonementi'),
        'weekly_pass',
        1_79,
        139_00,
        'popular',
      ],
      [inLanguages('Сумеречный пропуск', 'Twilight Pass', 'Twilight abonementi'), 'twilight_pass', 8_39, 669_00],
    ],
  ),
})

const honorOfKings = topup({
  slug: 'honor-of-kings-topup',
  color: '#b81e3a',
  category: 'games',
  keywords: words(
    'honor of kings, hok, tokens, weekly card',
    'хонор оф кингс, честь королей, хок, жетоны',
    'xonor of kings, jeton',
  ),
  gameCurrency: 'Tokens',
  playerCheck: 'required',
  promisedMinutes: 10,
  fields: [userId(6, 20)],
  services: [atG2bulk('hok', { player_id: '{user_id}' }), atSandbox('honor_of_kings')],
  texts: {
    en: texts(
      'Honor of Kings',
      'Tokens for heroes and skins, and weekly cards, to your account by player ID. No password needed.',
      'Open the settings in the game and copy the player ID.',
      'Enter the ID here, press “Find” and check that the nickname is yours.',
      'Choose a package and pay.',
      'The tokens arrive on your account by themselves; if you do not see them, restart the game.',
    ),
    ru: texts(
      'Honor of Kings',
      'Жетоны на героев и облики и недельные карты: на аккаунт по ID игрока, пароль не нужен.',
      'Откройте в игре настройки и скопируйте ID игрока.',
      'Введите ID здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
      'Выберите пакет и оплатите.',
      'Жетоны придут на аккаунт сами; если их не видно, перезапустите игру.',
    ),
    uz: texts(
      'Honor of Kings',
      'Qahramonlar va skinlar uchun jetonlar hamda haftalik kartalar oʻyinchi ID raqami boʻyicha hisobingizga tushadi. Parol kerak emas.',
      'Oʻyinda sozlamalarni oching va oʻyinchi ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting, “Topish” tugmasini bosing va nik sizniki ekanini tekshiring.',
      'Paketni tanlang va toʻlang.',
      'Jetonlar hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
    ),
  },
  offers: topupOffers(
    'honor_of_kings',
    'tokens',
    [
      [80, 99, 80_00],
      [240, 2_95, 239_00, 'popular'],
      [400, 4_89, 389_00],
      [830, 9_75, 779_00, 'popular'],
      [2508, 28_99, 2309_00],
    ],
    [[inLanguages('Недельная карта', 'Weekly Card', 'Haftalik karta'), 'weekly_card', 99, 80_00]],
  ),
})

const brawlStars = topup({
  slug: 'brawl-stars-topup',
  color: '#ffc917',
  category: 'games',
  keywords: words(
    'brawl stars, brawl, gems, brawl pass, supercell',
    'бравл, бравл старс, бравл пасс, гемы, кристаллы, суперселл',
    'bravl stars, gem',
  ),
  gameCurrency: 'Gems',
  playerCheck: 'offered',
  promisedMinutes: 60,
  fields: [playerTag],
  services: [atSandbox('brawl_stars')],
  texts: {
    en: texts(
      'Brawl Stars',
      'Gems and the Brawl Pass for your account by player tag. We ask for no password and no email code.',
      'Open your profile in the game and copy the tag under your name.',
      'Enter the tag here and check it letter by letter.',
      'Choose gems or a pass and pay.',
      'The purchase arrives within an hour; restart the game to see it.',
    ),
    ru: texts(
      'Brawl Stars',
      'Гемы и Brawl Pass на аккаунт по тегу игрока. Пароль и код с почты мы не спрашиваем.',
      'Откройте в игре профиль и скопируйте тег под своим никнеймом.',
      'Введите тег здесь и проверьте его посимвольно.',
      'Выберите гемы или пропуск и оплатите.',
      'Покупка придёт в течение часа; чтобы увидеть её, перезапустите игру.',
    ),
    uz: texts(
      'Brawl Stars',
      'Gemlar va Brawl Pass oʻyinchi tegi boʻyicha hisobingizga tushadi. Parol va pochtaga kelgan kodni soʻramaymiz.',
      'Oʻyinda profilingizni oching va nikingiz ostidagi tegni nusxalang.',
      'Tegni shu yerga kiriting va har bir belgisini tekshiring.',
      'Gemlar yoki abonementni tanlang va toʻlang.',
      'Xarid bir soat ichida tushadi; koʻrish uchun oʻyinni qayta ishga tushiring.',
    ),
  },
  offers: topupOffers(
    'brawl_stars',
    'gems',
    [
      [30, 1_89, 149_00],
      [80, 4_69, 369_00, 'popular'],
      [170, 9_29, 739_00, 'popular'],
      [360, 18_49, 1469_00],
      [950, 45_99, 3659_00],
      [2000, 91_99, 7309_00],
    ],
    [[inLanguages('Brawl Pass', 'Brawl Pass', 'Brawl Pass abonementi'), 'brawl_pass', 8_49, 679_00, 'popular']],
  ),
})

export const demoArenaTopups = [mobileLegends, honorOfKings, brawlStars]
