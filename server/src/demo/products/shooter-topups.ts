import { atG2bulk, atSandbox, inLanguages, texts, topup, topupOffers, userId, words } from '../demo.ts'

const valorant = topup({
  slug: 'valorant-topup',
  color: '#d9304a',
  category: 'games',
  keywords: words(
    'valorant, vp, valorant points, riot id, riot games',
    'валорант, вп, очки валорант, риот, риот айди',
    'valorant toʻldirish',
  ),
  gameCurrency: 'VP',
  playerCheck: 'offered',
  promisedMinutes: 20,
  fields: [
    {
      key: 'riot_id',
      type: 'text',
      labels: inLanguages('Riot ID', 'Riot ID', 'Riot ID'),
      hints: inLanguages(
        'Никнейм и тег, например Olmos#EUW',
        'Name and tag, such as Olmos#EUW',
        'Nik va teg, masalan Olmos#EUW',
      ),
      pattern: '[^#]{3,16}#[0-9A-Za-z]{3,5}',
      lengthMin: 7,
      lengthMax: 22,
    },
  ],
  services: [atG2bulk('valorant', { player_id: '{riot_id}' }), atSandbox('valorant')],
  texts: {
    en: texts(
      'Valorant by Riot ID',
      'Valorant Points to accounts of the Europe region, with Russia and the CIS, by Riot ID. There is no code to enter and no password to give.',
      'Check in the account settings of Riot that your region is Europe.',
      'Enter your Riot ID with the tag after the # sign; the game shows it when you point at your name.',
      'Choose a package and pay.',
      'The points are in your balance the next time you start Valorant.',
    ),
    ru: texts(
      'Valorant по Riot ID',
      'Valorant Points на аккаунты региона Европа, включая Россию и СНГ, по Riot ID. Код вводить не нужно, пароль тоже.',
      'Проверьте в настройках аккаунта Riot, что ваш регион Европа.',
      'Введите Riot ID вместе с тегом после знака #: игра показывает его при наведении на ваш никнейм.',
      'Выберите пакет и оплатите.',
      'VP появятся на балансе при следующем запуске Valorant.',
    ),
    uz: texts(
      'Valorant Riot ID boʻyicha',
      'Valorant Points Riot ID boʻyicha Yevropa mintaqasidagi, jumladan Rossiya va MDH hisoblariga tushadi. Kod kiritish va parol berish shart emas.',
      'Riot hisobi sozlamalarida mintaqangiz Yevropa ekanini tekshiring.',
      'Riot ID raqamini # belgisidan keyingi teg bilan kiriting: oʻyin uni nikingiz ustiga kelganda koʻrsatadi.',
      'Paketni tanlang va toʻlang.',
      'VP Valorantni keyingi safar ishga tushirganingizda balansda koʻrinadi.',
    ),
  },
  offers: topupOffers('valorant', 'vp', [
    [475, 4_89, 389_00, 'popular'],
    [1000, 9_89, 789_00, 'popular'],
    [2050, 19_79, 1569_00],
    [3650, 34_49, 2739_00],
    [5350, 49_49, 3929_00],
    [11000, 98_99, 7869_00],
  ]),
})

const standoff2 = topup({
  slug: 'standoff2-topup',
  color: '#8a93a6',
  category: 'games',
  keywords: words(
    'standoff, standoff 2, so2, gold, axlebolt',
    'стандофф, стандофф 2, стендофф, стандоф, голда, золото',
    'oltin, stendof',
  ),
  gameCurrency: 'Gold',
  playerCheck: 'offered',
  promisedMinutes: 30,
  fields: [userId(4, 12)],
  services: [atSandbox('standoff2')],
  texts: {
    en: texts(
      'Standoff 2',
      'Gold for cases, skins and the market, to your account by player ID. No password and no trade needed.',
      'Open your profile in Standoff 2 and copy the ID under your name.',
      'Enter the ID here and check it digit by digit.',
      'Choose a package and pay.',
      'The gold is on your account within half an hour; restart the game to see it.',
    ),
    ru: texts(
      'Standoff 2',
      'Золото на кейсы, скины и рынок: на аккаунт по ID игрока, без пароля и без обмена скинами.',
      'Откройте в Standoff 2 свой профиль и скопируйте ID под никнеймом.',
      'Введите ID здесь и проверьте каждую цифру.',
      'Выберите пакет и оплатите.',
      'Золото будет на аккаунте в течение получаса; чтобы увидеть его, перезапустите игру.',
    ),
    uz: texts(
      'Standoff 2',
      'Keyslar, skinlar va bozor uchun oltin oʻyinchi ID raqami boʻyicha hisobingizga tushadi. Parol ham, skin almashish ham kerak emas.',
      'Standoff 2 oʻyinida profilingizni oching va nik ostidagi ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting va har bir raqamini tekshiring.',
      'Paketni tanlang va toʻlang.',
      'Oltin yarim soat ichida hisobingizga tushadi; koʻrish uchun oʻyinni qayta ishga tushiring.',
    ),
  },
  offers: topupOffers('standoff2', 'gold', [
    [100, 1_35, 109_00],
    [500, 6_29, 499_00, 'popular'],
    [1000, 11_99, 949_00, 'popular'],
    [3000, 34_29, 2729_00],
  ]),
})

const callOfDutyMobile = topup({
  slug: 'call-of-duty-mobile-topup',
  color: '#87923a',
  category: 'games',
  keywords: words(
    'call of duty, call of duty mobile, codm, cod mobile, cp, activision',
    'кол оф дьюти, калда, колда, код мобайл, сп',
    'kol of dyuti',
  ),
  gameCurrency: 'CP',
  playerCheck: 'offered',
  promisedMinutes: 20,
  fields: [userId(16, 20)],
  services: [atSandbox('call_of_duty_mobile')],
  texts: {
    en: texts(
      'Call of Duty: Mobile',
      'CP for the Battle Pass, draws and weapon blueprints, to your account by player ID. Global version.',
      'Open the game, tap your picture and then Basic; copy the long UID.',
      'Enter the UID here; it has no letters.',
      'Choose a package and pay.',
      'The CP arrive on your account by themselves; if you do not see them, restart the game.',
    ),
    ru: texts(
      'Call of Duty: Mobile',
      'CP на боевой пропуск, розыгрыши и чертежи оружия: на аккаунт по ID игрока. Глобальная версия игры.',
      'Откройте игру, нажмите на свой аватар, затем на основные данные, и скопируйте длинный UID.',
      'Введите UID здесь: в нём нет букв.',
      'Выберите пакет и оплатите.',
      'CP придут на аккаунт сами; если их не видно, перезапустите игру.',
    ),
    uz: texts(
      'Call of Duty: Mobile',
      'Battle Pass, oʻyinlar va qurol chizmalari uchun CP oʻyinchi ID raqami boʻyicha hisobingizga tushadi. Global versiya.',
      'Oʻyinni oching, avataringizni, soʻng asosiy maʼlumotlarni bosing va uzun UID raqamini nusxalang.',
      'UID raqamini shu yerga kiriting: unda harflar yoʻq.',
      'Paketni tanlang va toʻlang.',
      'CP hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
    ),
  },
  offers: topupOffers('call_of_duty_mobile', 'cp', [
    [80, 95, 75_00],
    [420, 4_69, 369_00, 'popular'],
    [880, 9_29, 739_00, 'popular'],
    [2400, 23_29, 1849_00],
    [5000, 46_49, 3699_00],
  ]),
})

export const demoShooterTopups = [valorant, standoff2, callOfDutyMobile]
