import { steps, topup, topupOffers } from '../demo.ts'
import { atSandbox, playerTag, userId } from './topup-parts.ts'

const clashOfClans = topup({
  slug: 'clash-of-clans-topup',
  color: '#63bd26',
  category: 'games',
  keywords: [
    'clash of clans',
    'clash',
    'coc',
    'gems',
    'gold pass',
    'supercell',
    'клеш оф кланс',
    'клэш',
    'кланы',
    'гемы',
    'золотой пропуск',
    'klesh of klans',
  ],
  gameCurrency: 'Gems',
  playerCheck: 'offered',
  promisedMinutes: 60,
  fields: [playerTag],
  services: [atSandbox('clash_of_clans')],
  texts: {
    en: {
      title: 'Clash of Clans',
      description: 'Gems and the Gold Pass for your village by player tag. We ask for no password and no email code.',
      activationInstructions: steps(
        'Tap your level in the village and copy the tag under your name.',
        'Enter the tag here and check it letter by letter.',
        'Choose gems or the pass and pay.',
        'The purchase arrives within an hour; open the game again to see it.',
      ),
    },
    ru: {
      title: 'Clash of Clans',
      description: 'Гемы и золотой пропуск для вашей деревни по тегу игрока. Пароль и код с почты мы не спрашиваем.',
      activationInstructions: steps(
        'Нажмите в деревне на свой уровень и скопируйте тег под никнеймом.',
        'Введите тег здесь и проверьте его посимвольно.',
        'Выберите гемы или пропуск и оплатите.',
        'Покупка придёт в течение часа; чтобы увидеть её, откройте игру заново.',
      ),
    },
    uz: {
      title: 'Clash of Clans',
      description:
        'Gemlar va Gold Pass oʻyinchi tegi boʻyicha qishlogʻingizga tushadi. Parol va pochtaga kelgan kodni soʻramaymiz.',
      activationInstructions: steps(
        'Qishloqda darajangizni bosing va nik ostidagi tegni nusxalang.',
        'Tegni shu yerga kiriting va har bir belgisini tekshiring.',
        'Gemlar yoki abonementni tanlang va toʻlang.',
        'Xarid bir soat ichida tushadi; koʻrish uchun oʻyinni qaytadan oching.',
      ),
    },
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
    [['Gold Pass', 'gold_pass', 6_59, 519_00, 'popular']],
  ),
})

const whiteoutSurvival = topup({
  slug: 'whiteout-survival-topup',
  color: '#86c2ea',
  category: 'games',
  keywords: [
    'whiteout survival',
    'whiteout',
    'wos',
    'frost star',
    'frost stars',
    'century games',
    'вайтаут',
    'вайтаут сурвайвал',
    'белая мгла',
    'морозные звёзды',
    'vaytaut',
  ],
  gameCurrency: 'Frost Stars',
  playerCheck: 'offered',
  promisedMinutes: 15,
  fields: [userId(6, 12)],
  services: [atSandbox('whiteout_survival')],
  texts: {
    en: {
      title: 'Whiteout Survival',
      description: 'Frost Stars to spend on any pack in the game, to your city by player ID. No password needed.',
      activationInstructions: steps(
        'Tap your picture in the game and copy the player ID.',
        'Enter the ID here; the state number is not needed.',
        'Choose a package and pay.',
        'The Frost Stars arrive by themselves; choose them as the payment of a pack in the game.',
      ),
    },
    ru: {
      title: 'Whiteout Survival',
      description: 'Frost Stars, за которые в игре можно взять любой набор: в ваш город по ID игрока, пароль не нужен.',
      activationInstructions: steps(
        'Нажмите в игре на свой аватар и скопируйте ID игрока.',
        'Введите ID здесь: номер штата не нужен.',
        'Выберите пакет и оплатите.',
        'Frost Stars придут сами; выберите их при оплате набора в игре.',
      ),
    },
    uz: {
      title: 'Whiteout Survival',
      description:
        'Oʻyindagi istalgan toʻplamga sarflanadigan Frost Stars oʻyinchi ID raqami boʻyicha shahringizga tushadi. Parol kerak emas.',
      activationInstructions: steps(
        'Oʻyinda avataringizni bosing va oʻyinchi ID raqamini nusxalang.',
        'ID raqamini shu yerga kiriting: shtat raqami kerak emas.',
        'Paketni tanlang va toʻlang.',
        'Frost Stars oʻzi tushadi; oʻyinda toʻplam uchun toʻlashda ularni tanlang.',
      ),
    },
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
  keywords: [
    'fc mobile',
    'ea fc',
    'ea sports fc',
    'fifa',
    'fifa mobile',
    'fc points',
    'фк мобайл',
    'фифа',
    'фифа мобайл',
    'футбол',
    'фк поинты',
    'futbol',
  ],
  gameCurrency: 'FC Points',
  playerCheck: 'none',
  promisedMinutes: 20,
  fields: [userId(8, 16)],
  services: [atSandbox('eafc_mobile')],
  texts: {
    en: {
      title: 'FC Mobile',
      description: 'FC Points for packs, the Star Pass and transfers, to your club by player ID. No password needed.',
      activationInstructions: steps(
        'Open the settings in the game and copy the ID of your account.',
        'Enter the ID here and check it digit by digit, as the game does not tell names.',
        'Choose a package and pay.',
        'The points are in your club by themselves; if you do not see them, restart the game.',
      ),
    },
    ru: {
      title: 'FC Mobile',
      description: 'FC Points на наборы, Star Pass и трансферы: в ваш клуб по ID игрока, пароль не нужен.',
      activationInstructions: steps(
        'Откройте в игре настройки и скопируйте ID своего аккаунта.',
        'Введите ID здесь и проверьте каждую цифру: игра не сообщает никнеймы.',
        'Выберите пакет и оплатите.',
        'FC Points придут в клуб сами; если их не видно, перезапустите игру.',
      ),
    },
    uz: {
      title: 'FC Mobile',
      description:
        'Toʻplamlar, Star Pass va transferlar uchun FC Points oʻyinchi ID raqami boʻyicha klubingizga tushadi. Parol kerak emas.',
      activationInstructions: steps(
        'Oʻyinda sozlamalarni oching va hisobingizning ID raqamini nusxalang.',
        'ID raqamini shu yerga kiriting va har bir raqamini tekshiring: oʻyin niklarni aytmaydi.',
        'Paketni tanlang va toʻlang.',
        'FC Points klubingizga oʻzi tushadi; koʻrinmasa, oʻyinni qayta ishga tushiring.',
      ),
    },
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
