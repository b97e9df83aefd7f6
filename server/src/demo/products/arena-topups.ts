import { atG2bulk, atSandbox, inLanguages, playerTag, steps, topup, topupOffers, userId, words } from '../demo.ts'

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
    en: {
      title: 'Mobile Legends by ID',
      description:
        'Diamonds and passes straight to your Mobile Legends: Bang Bang account by player ID and zone, no password needed.',
      activationInstructions: steps(
        'Open your profile in the game: the player ID stands there, and the zone in brackets behind it.',
        'Enter both here, press “Find” and check that the nickname is yours.',
        'Choose a package and pay.',
        'The diamonds arrive on your account by themselves; a pass starts on the day it arrives.',
      ),
    },
    ru: {
      title: 'Mobile Legends по ID',
      description: 'Алмазы и пропуски на аккаунт Mobile Legends: Bang Bang по ID игрока и зоне, пароль не нужен.',
      activationInstructions: steps(
        'Откройте в игре профиль: там указан ID игрока, а за ним в скобках зона.',
        'Введите их здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
        'Выберите пакет и оплатите.',
        'Алмазы придут на аккаунт сами; пропуск начинает действовать в день зачисления.',
      ),
    },
    uz: {
      title: 'Mobile Legends ID boʻyicha',
      description:
        'Olmoslar va abonementlar oʻyinchi ID raqami va zona boʻyicha Mobile Legends: Bang Bang hisobingizga tushadi, parol kerak emas.',
      activationInstructions: steps(
        'Oʻyinda profilingizni oching: u yerda oʻyinchi ID raqami, undan keyin qavs ichida zona koʻrsatilgan.',
        'Ularni shu yerga kiriting, “Topish” tugmasini bosing va nik sizniki ekanini tekshiring.',
        'Paketni tanlang va toʻlang.',
        'Olmoslar hisobingizga oʻzi tushadi; abonement tushgan kundan boshlab ishlaydi.',
      ),
    },
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
      ['Weekly Diamond Pass', 'weekly_pass', 1_79, 139_00, 'popular'],
      ['Twilight Pass', 'twilight_pass', 8_39, 669_00],
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
    en: {
      title: 'Honor of Kings',
      description: 'Tokens for heroes and skins, and weekly cards, to your account by player ID. No password needed.',
      activationInstructions: steps(
        'Open the settings in the game and copy the player ID.',
        'Enter the ID here, press “Find” and check that the nickname is yours.',
        'Choose a package and pay.',
        'The tokens arrive on your account by themselves; if you do not see them, restart the game.',
      ),
    },
    ru: {
      title: 'Honor of Kings',
      description: 'Жетоны на героев и облики и недельные карты: на аккаунт по ID игрока, пароль не нужен.',
      activationInstructions: steps(
        'Откройте в игре настройки и скопируйте ID игрока.',
        'Введите ID здесь, нажмите «Найти» и проверьте, что никнейм ваш.',
        'Выберите пакет и оплатите.',
        'Жетоны придут на аккаунт сами; если их не видно, перезапустите игру.',
      ),
    },
    uz: {
      title: 'Honor of Kings',
      description:
        'Qahramonlar va skinlar uchun jetonlar hamda haftalik kartalar oʻyinchi ID raqami boʻyicha hisobingizga tushadi. Parol kerak emas.',
      activationInstructions: steps(
        'Oʻyinda sozlamalarni oching va oʻyinchi ID raqamini nusxalang.',
        'ID raqamini shu yerga kiriting, “Topish” tugmasini bosing va nik sizniki ekanini tekshiring.',
        'Paketni tanlang va toʻlang.',
        'Jetonlar hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
      ),
    },
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
    [['Weekly Card', 'weekly_card', 99, 80_00]],
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
    en: {
      title: 'Brawl Stars',
      description: 'Gems and the Brawl Pass for your account by player tag. We ask for no password and no email code.',
      activationInstructions: steps(
        'Open your profile in the game and copy the tag under your name.',
        'Enter the tag here and check it letter by letter.',
        'Choose gems or a pass and pay.',
        'The purchase arrives within an hour; restart the game to see it.',
      ),
    },
    ru: {
      title: 'Brawl Stars',
      description: 'Гемы и Brawl Pass на аккаунт по тегу игрока. Пароль и код с почты мы не спрашиваем.',
      activationInstructions: steps(
        'Откройте в игре профиль и скопируйте тег под своим никнеймом.',
        'Введите тег здесь и проверьте его посимвольно.',
        'Выберите гемы или пропуск и оплатите.',
        'Покупка придёт в течение часа; чтобы увидеть её, перезапустите игру.',
      ),
    },
    uz: {
      title: 'Brawl Stars',
      description:
        'Gemlar va Brawl Pass oʻyinchi tegi boʻyicha hisobingizga tushadi. Parol va pochtaga kelgan kodni soʻramaymiz.',
      activationInstructions: steps(
        'Oʻyinda profilingizni oching va nikingiz ostidagi tegni nusxalang.',
        'Tegni shu yerga kiriting va har bir belgisini tekshiring.',
        'Gemlar yoki abonementni tanlang va toʻlang.',
        'Xarid bir soat ichida tushadi; koʻrish uchun oʻyinni qayta ishga tushiring.',
      ),
    },
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
    [['Brawl Pass', 'brawl_pass', 8_49, 679_00, 'popular']],
  ),
})

export const demoArenaTopups = [mobileLegends, honorOfKings, brawlStars]
