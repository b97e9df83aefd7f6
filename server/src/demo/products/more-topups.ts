import { inLanguages, steps, topup, topupOffers } from '../demo.ts'
import { atG2bulk, atSandbox, userId } from './topup-parts.ts'

/** The buyer names the number of stars, as with UC. */
const telegramStars = topup({
  slug: 'telegram-stars',
  color: '#5ac8fa',
  category: 'wallets',
  keywords: [
    'telegram',
    'telegram stars',
    'stars',
    'tg',
    'tg stars',
    'телеграм',
    'телеграмм',
    'тг',
    'звёзды',
    'звезды',
    'звёзды телеграм',
    'тг старс',
    'telegramm',
    'yulduzlar',
  ],
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
    en: {
      title: 'Telegram Stars',
      description:
        'Stars for gifts, mini apps and paid posts, to any Telegram account by its username. Enter how many you want.',
      activationInstructions: steps(
        'Open Telegram, then Settings, and copy the username; if there is none, make one.',
        'Enter the username here and check that it is the right person.',
        'Enter the number of stars and pay.',
        'Telegram says when the stars have arrived; they are under Settings, My Stars.',
      ),
    },
    ru: {
      title: 'Telegram Stars',
      description:
        'Звёзды на подарки, мини-приложения и платные посты: на любой аккаунт Telegram по имени пользователя. Введите, сколько звёзд нужно.',
      activationInstructions: steps(
        'Откройте в Telegram настройки и скопируйте имя пользователя; если его нет, задайте.',
        'Введите имя пользователя здесь и проверьте, что это нужный человек.',
        'Введите число звёзд и оплатите.',
        'Telegram сообщит, когда звёзды придут: они в настройках, в разделе «Мои звёзды».',
      ),
    },
    uz: {
      title: 'Telegram Stars',
      description:
        'Sovgʻalar, mini-ilovalar va pullik postlar uchun yulduzlar foydalanuvchi nomi boʻyicha istalgan Telegram hisobiga tushadi. Nechta kerakligini kiriting.',
      activationInstructions: steps(
        'Telegramda sozlamalarni oching va foydalanuvchi nomini nusxalang; nom boʻlmasa, oʻylab toping.',
        'Foydalanuvchi nomini shu yerga kiriting va kerakli odam ekanini tekshiring.',
        'Yulduzlar sonini kiriting va toʻlang.',
        'Yulduzlar kelganda Telegram xabar beradi: ular sozlamalardagi yulduzlar boʻlimida.',
      ),
    },
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
  keywords: [
    'arena breakout',
    'breakout',
    'bonds',
    'level infinite',
    'арена брейкаут',
    'арена брекаут',
    'брейкаут',
    'бонды',
    'arena breykaut',
  ],
  gameCurrency: 'Bonds',
  playerCheck: 'offered',
  promisedMinutes: 15,
  fields: [userId(8, 20)],
  services: [atSandbox('arena_breakout')],
  texts: {
    en: {
      title: 'Arena Breakout',
      description:
        'Bonds for cases, the Battle Pass and outfits, to your mobile account by player ID. No password needed.',
      activationInstructions: steps(
        'Open your profile in the game and copy the player ID.',
        'Enter the ID here and check it digit by digit.',
        'Choose a package and pay.',
        'The Bonds arrive on your account by themselves; leave the raid to see them.',
      ),
    },
    ru: {
      title: 'Arena Breakout',
      description: 'Бонды на кейсы, боевой пропуск и экипировку: на мобильный аккаунт по ID игрока, пароль не нужен.',
      activationInstructions: steps(
        'Откройте в игре профиль и скопируйте ID игрока.',
        'Введите ID здесь и проверьте каждую цифру.',
        'Выберите пакет и оплатите.',
        'Бонды придут на аккаунт сами; чтобы увидеть их, выйдите из рейда.',
      ),
    },
    uz: {
      title: 'Arena Breakout',
      description:
        'Keyslar, Battle Pass va kiyimlar uchun Bonds oʻyinchi ID raqami boʻyicha mobil hisobingizga tushadi. Parol kerak emas.',
      activationInstructions: steps(
        'Oʻyinda profilingizni oching va oʻyinchi ID raqamini nusxalang.',
        'ID raqamini shu yerga kiriting va har bir raqamini tekshiring.',
        'Paketni tanlang va toʻlang.',
        'Bonds hisobingizga oʻzi tushadi; koʻrish uchun reyddan chiqing.',
      ),
    },
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
  keywords: [
    'delta force',
    'delta coins',
    'delta',
    'hawk ops',
    'дельта форс',
    'дельта',
    'дельта коины',
    'дельта форс мобайл',
    'delta fors',
  ],
  gameCurrency: 'Delta Coins',
  playerCheck: 'offered',
  promisedMinutes: 15,
  fields: [userId(8, 24)],
  services: [atG2bulk('deltaforce', { player_id: '{user_id}' }), atSandbox('delta_force')],
  texts: {
    en: {
      title: 'Delta Force',
      description: 'Delta Coins for weapon skins, operators and the season pass, on PC and mobile alike. By player ID.',
      activationInstructions: steps(
        'Open the settings in the lobby and copy the player ID.',
        'Enter the ID here and check it digit by digit.',
        'Choose a package and pay.',
        'The coins arrive on your account by themselves; if you do not see them, log in to the game again.',
      ),
    },
    ru: {
      title: 'Delta Force',
      description:
        'Delta Coins на скины оружия, оперативников и сезонный пропуск: и на ПК, и на телефоне. По ID игрока.',
      activationInstructions: steps(
        'Откройте в лобби настройки и скопируйте ID игрока.',
        'Введите ID здесь и проверьте каждую цифру.',
        'Выберите пакет и оплатите.',
        'Монеты придут на аккаунт сами; если их не видно, войдите в игру заново.',
      ),
    },
    uz: {
      title: 'Delta Force',
      description:
        'Qurol skinlari, operatorlar va mavsum abonementi uchun Delta Coins kompyuterda ham, telefonda ham ishlaydi. Oʻyinchi ID raqami boʻyicha.',
      activationInstructions: steps(
        'Lobbida sozlamalarni oching va oʻyinchi ID raqamini nusxalang.',
        'ID raqamini shu yerga kiriting va har bir raqamini tekshiring.',
        'Paketni tanlang va toʻlang.',
        'Tangalar hisobingizga oʻzi tushadi; koʻrinmasa, oʻyinga qaytadan kiring.',
      ),
    },
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
