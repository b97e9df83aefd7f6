import { atG2bulk, atSandbox, inLanguages, playerTag, texts, topup, topupOffers, userId, words } from '../demo.ts'

const clashOfClans = topup({
  slug: 'clash-of-clans-topup',
  color: '#63bd26',
  category: 'games',
  keywords: words(
    'clash of clans, clash, coc, gems, gold pass, supercell',
    'клеш оф кланс, клэш, кланы, гемы, золотой пропуск',
    'klesh of klans',
  ),
  gameCurrency: 'Gems',
  playerCheck: 'offered',
  promisedMinutes: 60,
  fields: [playerTag],
  services: [atSandbox('clash_of_clans')],
  texts: {
    en: texts(
      'Clash of Clans',
      'Gems and the Gold Pass for your village by player tag. We ask for no password and no email code.',
      'Tap your level in the village and copy the tag under your name.',
      'Enter the tag here and check it letter by letter.',
      'Choose gems or the pass and pay.',
      'The purchase arrives within an hour; open the game again to see it.',
    ),
    ru: texts(
      'Clash of Clans',
      'Гемы и золотой пропуск для вашей деревни по тегу игрока. Пароль и код с почты мы не спрашиваем.',
      'Нажмите в деревне на свой уровень и скопируйте тег под никнеймом.',
      'Введите тег здесь и проверьте его посимвольно.',
      'Выберите гемы или пропуск и оплатите.',
      'Покупка придёт в течение часа; чтобы увидеть её, откройте игру заново.',
    ),
    uz: texts(
      'Clash of Clans',
      'Gemlar va Gold Pass oʻyinchi tegi boʻyicha qishlogʻingizga tushadi. Parol va pochtaga kelgan kodni soʻramaymiz.',
      'Qishloqda darajangizni bosing va nik ostidagi tegni nusxalang.',
      'Tegni shu yerga kiriting va har bir belgisini tekshiring.',
      'Gemlar yoki abonementni tanlang va toʻlang.',
      'Xarid bir soat ichida tushadi; koʻrish uchun oʻyinni qaytadan oching.',
    ),
  },
  offers: topupOffers(
    'clash_of_clans',
    'gems',
    [
      [80, 95, 75_00],
      [500, 4_69, 369_00, 'popular'],
      [1200, 9_39, 749_00],
      [2500, 18_79, 1489_00],
      [6500, 46_49, 3699_00],
    ],
    [[inLanguages('Золотой пропуск', 'Gold Pass', 'Gold Pass abonementi'), 'gold_pass', 6_59, 519_00, 'popular']],
  ),
})

const whiteoutSurvival = topup({
  slug: 'whiteout-survival-topup',
  color: '#86c2ea',
  category: 'games',
  keywords: words(
    'whiteout survival, whiteout, wos, frost star, frost stars, century games',
    'вайтаут, вайтаут сурвайвал, белая мгла, морозные звёзды',
    'vaytaut',
  ),
  gameCurrency: 'Frost Stars',
  playerCheck: 'offered',
  promisedMinutes: 15,
  fields: [userId(6, 12)],
  services: [atSandbox('whiteout_survival')],
  texts: {
    en: texts(
      'Whiteout Survival',
      'Frost Stars to spend on any pack in the game, to your city by player ID. No password needed.',
      'Tap your picture in the game and copy the player ID.',
      'Enter the ID here; the state number is not needed.',
      'Choose a package and pay.',
      'The Frost Stars arrive by themselves; choose them as the payment of a pack in the game.',
    ),
    ru: texts(
      'Whiteout Survival',
      'Frost Stars, за которые в игре можно взять любой набор: в ваш город по ID игрока, пароль не нужен.',
      'Нажмите в игре на свой аватар и скопируйте ID игрока.',
      'Введите ID здесь: номер штата не нужен.',
      'Выберите пакет и оплатите.',
      'Frost Stars придут сами; выберите их при оплате набора в игре.',
    ),
    uz: texts(
      'Whiteout Survival',
      'Oʻyindagi istalgan toʻplamga sarflanadigan Frost Stars oʻyinchi ID raqami boʻyicha shahringizga tushadi. Parol kerak emas.',
      'Oʻyinda avataringizni bosing va oʻyinchi ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting: shtat raqami kerak emas.',
      'Paketni tanlang va toʻlang.',
      'Frost Stars oʻzi tushadi; oʻyinda toʻplam uchun toʻlashda ularni tanlang.',
    ),
  },
  offers: topupOffers('whiteout_survival', 'frost_stars', [
    [50, 1_00, 80_00],
    [250, 4_95, 389_00, 'popular'],
    [500, 9_79, 775_00, 'popular'],
    [1000, 19_49, 1549_00],
  ]),
})

const fcMobile = topup({
  slug: 'ea-fc-mobile-topup',
  color: '#93da1c',
  category: 'games',
  keywords: words(
    'fc mobile, ea fc, ea sports fc, fifa, fifa mobile, fc points',
    'фк мобайл, фифа, фифа мобайл, футбол, фк поинты',
    'futbol',
  ),
  gameCurrency: 'FC Points',
  playerCheck: 'none',
  promisedMinutes: 20,
  fields: [userId(8, 16)],
  services: [atSandbox('eafc_mobile')],
  texts: {
    en: texts(
      'FC Mobile',
      'FC Points for packs, the Star Pass and transfers, to your club by player ID. No password needed.',
      'Open the settings in the game and copy the ID of your account.',
      'Enter the ID here and check it digit by digit, as the game does not tell names.',
      'Choose a package and pay.',
      'The points are in your club by themselves; if you do not see them, restart the game.',
    ),
    ru: texts(
      'FC Mobile',
      'FC Points на наборы, Star Pass и трансферы: в ваш клуб по ID игрока, пароль не нужен.',
      'Откройте в игре настройки и скопируйте ID своего аккаунта.',
      'Введите ID здесь и проверьте каждую цифру: игра не сообщает никнеймы.',
      'Выберите пакет и оплатите.',
      'FC Points придут в клуб сами; если их не видно, перезапустите игру.',
    ),
    uz: texts(
      'FC Mobile',
      'Toʻplamlar, Star Pass va transferlar uchun FC Points oʻyinchi ID raqami boʻyicha klubingizga tushadi. Parol kerak emas.',
      'Oʻyinda sozlamalarni oching va hisobingizning ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting va har bir raqamini tekshiring: oʻyin niklarni aytmaydi.',
      'Paketni tanlang va toʻlang.',
      'FC Points klubingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
    ),
  },
  offers: topupOffers('eafc_mobile', 'fc_points', [
    [100, 95, 75_00],
    [520, 4_69, 369_00, 'popular'],
    [1070, 9_29, 739_00, 'popular'],
    [2200, 18_59, 1479_00],
    [5750, 46_49, 3699_00],
  ]),
})

export const demoStrategyTopups = [clashOfClans, whiteoutSurvival, fcMobile]

/** The buyer names the number of stars, as with UC. */
const telegramStars = topup({
  slug: 'telegram-stars',
  color: '#5ac8fa',
  category: 'wallets',
  keywords: words(
    'telegram, telegram stars, stars, tg, tg stars',
    'телеграм, телеграмм, тг, звёзды, звезды, звёзды телеграм, тг старс',
    'telegramm, yulduzlar',
  ),
  gameCurrency: 'Stars',
  pricing: 'combination',
  presets: [100, 350, 750],
  playerCheck: 'offered',
  promisedMinutes: 5,
  fields: [
    {
      key: 'username',
      type: 'login',
      labels: inLanguages('Имя пользователя', 'Username', 'Foydalanuvchi nomi'),
      hints: inLanguages(
        'Как в ссылке t.me, например olmos_uz',
        'As in the t.me link, such as olmos_uz',
        't.me havolasidagidek, masalan olmos_uz',
      ),
      pattern: '@?[A-Za-z][A-Za-z0-9_]{3,31}',
      lengthMin: 4,
      lengthMax: 33,
    },
  ],
  services: [atSandbox('telegram_stars')],
  texts: {
    en: texts(
      'Telegram Stars',
      'Stars for gifts, mini apps and paid posts, to any Telegram account by its username. Enter how many you want.',
      'Open Telegram, then Settings, and copy the username; if there is none, make one.',
      'Enter the username here and check that it is the right person.',
      'Enter the number of stars and pay.',
      'Telegram says when the stars have arrived; they are under Settings, My Stars.',
    ),
    ru: texts(
      'Telegram Stars',
      'Звёзды на подарки, мини-приложения и платные посты: на любой аккаунт Telegram по имени пользователя. Введите, сколько звёзд нужно.',
      'Откройте в Telegram настройки и скопируйте имя пользователя; если его нет, задайте.',
      'Введите имя пользователя здесь и проверьте, что это нужный человек.',
      'Введите число звёзд и оплатите.',
      'Telegram сообщит, когда звёзды придут: они в настройках, в разделе «Мои звёзды».',
    ),
    uz: texts(
      'Telegram Stars',
      'Sovgʻalar, mini-ilovalar va pullik postlar uchun yulduzlar foydalanuvchi nomi boʻyicha istalgan Telegram hisobiga tushadi. Nechta kerakligini kiriting.',
      'Telegramda sozlamalarni oching va foydalanuvchi nomini nusxalang; nom boʻlmasa, oʻylab toping.',
      'Foydalanuvchi nomini shu yerga kiriting va kerakli odam ekanini tekshiring.',
      'Yulduzlar sonini kiriting va toʻlang.',
      'Yulduzlar kelganda Telegram xabar beradi: ular sozlamalardagi yulduzlar boʻlimida.',
    ),
  },
  offers: topupOffers('telegram_stars', 'stars', [
    [50, 89, 70_00],
    [100, 1_75, 139_00, 'popular'],
    [250, 4_29, 339_00],
    [500, 8_49, 669_00, 'popular'],
    [1000, 16_89, 1329_00],
    [2500, 41_99, 3309_00],
  ]),
})

const arenaBreakout = topup({
  slug: 'arena-breakout-topup',
  color: '#c2602a',
  category: 'games',
  keywords: words(
    'arena breakout, breakout, bonds, level infinite',
    'арена брейкаут, арена брекаут, брейкаут, бонды',
    'arena breykaut',
  ),
  gameCurrency: 'Bonds',
  playerCheck: 'offered',
  promisedMinutes: 15,
  fields: [userId(8, 20)],
  services: [atSandbox('arena_breakout')],
  texts: {
    en: texts(
      'Arena Breakout',
      'Bonds for cases, the Battle Pass and outfits, to your mobile account by player ID. No password needed.',
      'Open your profile in the game and copy the player ID.',
      'Enter the ID here and check it digit by digit.',
      'Choose a package and pay.',
      'The Bonds arrive on your account by themselves; leave the raid to see them.',
    ),
    ru: texts(
      'Arena Breakout',
      'Бонды на кейсы, боевой пропуск и экипировку: на мобильный аккаунт по ID игрока, пароль не нужен.',
      'Откройте в игре профиль и скопируйте ID игрока.',
      'Введите ID здесь и проверьте каждую цифру.',
      'Выберите пакет и оплатите.',
      'Бонды придут на аккаунт сами; чтобы увидеть их, выйдите из рейда.',
    ),
    uz: texts(
      'Arena Breakout',
      'Keyslar, Battle Pass va kiyimlar uchun Bonds oʻyinchi ID raqami boʻyicha mobil hisobingizga tushadi. Parol kerak emas.',
      'Oʻyinda profilingizni oching va oʻyinchi ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting va har bir raqamini tekshiring.',
      'Paketni tanlang va toʻlang.',
      'Bonds hisobingizga oʻzi tushadi; koʻrish uchun reyddan chiqing.',
    ),
  },
  offers: topupOffers('arena_breakout', 'bonds', [
    [60, 95, 75_00],
    [310, 4_69, 369_00, 'popular'],
    [630, 9_29, 739_00, 'popular'],
    [1580, 22_99, 1829_00],
    [3200, 45_49, 3619_00],
  ]),
})

const deltaForce = topup({
  slug: 'delta-force-topup',
  color: '#12c98a',
  category: 'games',
  keywords: words(
    'delta force, delta coins, delta, hawk ops',
    'дельта форс, дельта, дельта коины, дельта форс мобайл',
    'delta fors',
  ),
  gameCurrency: 'Delta Coins',
  playerCheck: 'offered',
  promisedMinutes: 15,
  fields: [userId(8, 24)],
  services: [atG2bulk('deltaforce', { player_id: '{user_id}' }), atSandbox('delta_force')],
  texts: {
    en: texts(
      'Delta Force',
      'Delta Coins for weapon skins, operators and the season pass, on PC and mobile alike. By player ID.',
      'Open the settings in the lobby and copy the player ID.',
      'Enter the ID here and check it digit by digit.',
      'Choose a package and pay.',
      'The coins arrive on your account by themselves; if you do not see them, log in to the game again.',
    ),
    ru: texts(
      'Delta Force',
      'Delta Coins на скины оружия, оперативников и сезонный пропуск: и на ПК, и на телефоне. По ID игрока.',
      'Откройте в лобби настройки и скопируйте ID игрока.',
      'Введите ID здесь и проверьте каждую цифру.',
      'Выберите пакет и оплатите.',
      'Монеты придут на аккаунт сами; если их не видно, войдите в игру заново.',
    ),
    uz: texts(
      'Delta Force',
      'Qurol skinlari, operatorlar va mavsum abonementi uchun Delta Coins kompyuterda ham, telefonda ham ishlaydi. Oʻyinchi ID raqami boʻyicha.',
      'Lobbida sozlamalarni oching va oʻyinchi ID raqamini nusxalang.',
      'ID raqamini shu yerga kiriting va har bir raqamini tekshiring.',
      'Paketni tanlang va toʻlang.',
      'Tangalar hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinga qaytadan kiring.',
    ),
  },
  offers: topupOffers('delta_force', 'delta_coins', [
    [60, 95, 75_00],
    [300, 4_59, 369_00, 'popular'],
    [680, 9_29, 739_00, 'popular'],
    [1280, 17_39, 1379_00],
    [3280, 43_99, 3499_00],
  ]),
})

export const demoMoreTopups = [telegramStars, arenaBreakout, deltaForce]
