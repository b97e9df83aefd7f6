import { codes, offersIn, steps, words } from '../demo.ts'

/** The shop makes these codes itself; each delivers the denomination of Free Fire with its amount. */
const freefireCodes = codes({
  slug: 'freefire-codes',
  color: '#ff3d6e',
  category: 'games',
  keywords: words(
    'free fire code, free fire codes, freefire, ff code, diamonds, gift',
    'код фри фаер, коды фри фаер, фри фаер, алмазы, подарок',
    'fri fayer kodi, olmos, sovgʻa',
  ),
  gameCurrency: 'Diamonds',
  supportsCodeGeneration: true,
  codePrefix: 'FF',
  codeGame: 'freefire',
  texts: {
    en: {
      title: 'Free Fire codes',
      description:
        'Diamonds as a code: keep it, or give it to a friend. Whoever has it activates it here with a player ID, whenever they like.',
      activationInstructions: steps(
        'Open the Free Fire page of this store and choose the tab “Activate a code”.',
        'Enter the player ID, press “Find” and check that the nickname is right.',
        'Enter the code from your order and press “Activate now”.',
        'The diamonds arrive on the account by themselves; each code works once.',
      ),
    },
    ru: {
      title: 'Коды Free Fire',
      description:
        'Алмазы в виде кода: оставьте себе или подарите другу. Владелец активирует его здесь по ID игрока, когда захочет.',
      activationInstructions: steps(
        'Откройте в нашем магазине страницу Free Fire и выберите вкладку «Активация кода».',
        'Введите ID игрока, нажмите «Найти» и проверьте никнейм.',
        'Введите код из заказа и нажмите «Активировать».',
        'Алмазы придут на аккаунт сами; каждый код срабатывает один раз.',
      ),
    },
    uz: {
      title: 'Free Fire kodlari',
      description:
        'Olmoslar kod koʻrinishida: oʻzingizda saqlang yoki doʻstingizga sovgʻa qiling. Egasi uni shu yerda oʻyinchi ID raqami bilan istagan vaqtda faollashtiradi.',
      activationInstructions: steps(
        'Doʻkonimizdagi Free Fire sahifasini oching va “Kodni faollashtirish” boʻlimini tanlang.',
        'Oʻyinchi ID raqamini kiriting, “Topish” tugmasini bosing va nikni tekshiring.',
        'Buyurtmadagi kodni kiriting va “Faollashtirish” tugmasini bosing.',
        'Olmoslar hisobga oʻzi tushadi; har bir kod bir marta ishlaydi.',
      ),
    },
  },
  offers: offersIn(null, [
    [100, 99, 79_00, 40],
    [310, 2_89, 229_00, 32, 'popular'],
    [520, 4_79, 379_00, 24, 'popular'],
    [1060, 9_49, 755_00, 14],
    [2180, 18_99, 1509_00, 6],
  ]),
  codePattern: 'FF-XXXX-XXXX-XXXX-XXXX-XXXX',
})

const roblox = codes({
  slug: 'roblox',
  color: '#e8e8e4',
  category: 'games',
  keywords: words(
    'roblox, robux',
    'роблокс, робукс, робуксы, рб',
    'robuks, gift card',
    'подарочная карта',
    'sovgʻa kartasi',
  ),
  gameCurrency: 'Robux',
  texts: {
    en: {
      title: 'Roblox',
      description:
        'A Robux gift card for avatar items, game passes and private servers. The code works on any Roblox account in any country.',
      activationInstructions: steps(
        'Open roblox.com/redeem in a browser and log in to your account.',
        'Enter the code from your order and confirm.',
        'If Roblox shows credit instead of Robux, choose to convert it to Robux.',
        'Check your Robux balance at the top of the page.',
      ),
    },
    ru: {
      title: 'Roblox',
      description:
        'Подарочная карта Robux: вещи для аватара, геймпассы и приватные серверы. Код подходит для любого аккаунта Roblox в любой стране.',
      activationInstructions: steps(
        'Откройте в браузере roblox.com/redeem и войдите в свой аккаунт.',
        'Введите код из заказа и подтвердите активацию.',
        'Если Roblox показал кредит, а не Robux, выберите обмен на Robux.',
        'Проверьте баланс Robux вверху страницы.',
      ),
    },
    uz: {
      title: 'Roblox',
      description:
        'Robux sovgʻa kartasi: avatar buyumlari, geympaslar va shaxsiy serverlar uchun. Kod istalgan mamlakatdagi istalgan Roblox hisobiga mos keladi.',
      activationInstructions: steps(
        'Brauzerda roblox.com/redeem sahifasini oching va hisobingizga kiring.',
        'Buyurtmadagi kodni kiriting va tasdiqlang.',
        'Roblox Robux oʻrniga kredit koʻrsatsa, uni Robuxga almashtirishni tanlang.',
        'Sahifaning yuqori qismida Robux balansingizni tekshiring.',
      ),
    },
  },
  offers: offersIn(null, [
    [100, 1_29, 99_00, 60],
    [200, 2_49, 195_00, 48],
    [400, 4_89, 385_00, 55, 'popular'],
    [800, 9_69, 765_00, 52, 'popular'],
    [1000, 11_99, 949_00, 34],
    [1700, 19_99, 1589_00, 40, 'popular'],
    [2000, 23_29, 1849_00, 22],
    [2700, 31_29, 2489_00, 14],
    [3600, 41_49, 3299_00, 9],
    [4500, 50_99, 4049_00, 18],
    [10000, 109_99, 8739_00, 6],
    [22500, 239_99, 19079_00, 2],
  ]),
  codePattern: 'XXX-XXX-XXXX',
})

const fortnite = codes({
  slug: 'fortnite',
  color: '#7c3bff',
  category: 'games',
  keywords: words(
    'fortnite, v-bucks, vbucks, epic games',
    'фортнайт, фортнит, вбаксы, в-баксы',
    'fortnayt, gift card',
    'подарочная карта',
    'sovgʻa kartasi',
  ),
  gameCurrency: 'V-Bucks',
  texts: {
    en: {
      title: 'Fortnite',
      description:
        'V-Bucks for outfits, emotes and the Battle Pass. Choose the region of your Epic Games account and activate the code on any platform.',
      activationInstructions: steps(
        'Open fortnite.com/vbuckscard and log in to your Epic Games account.',
        'Enter the code from your order.',
        'Choose the platform you play on; it cannot be changed later.',
        'Confirm. The V-Bucks are there the next time you start the game.',
      ),
    },
    ru: {
      title: 'Fortnite',
      description:
        'В-баксы на экипировку, эмоции и боевой пропуск. Выберите регион своего аккаунта Epic Games и активируйте код на любой платформе.',
      activationInstructions: steps(
        'Откройте fortnite.com/vbuckscard и войдите в аккаунт Epic Games.',
        'Введите код из заказа.',
        'Выберите платформу, на которой играете: позже её не изменить.',
        'Подтвердите активацию. В-баксы появятся при следующем запуске игры.',
      ),
    },
    uz: {
      title: 'Fortnite',
      description:
        'Kiyimlar, imo-ishoralar va Battle Pass uchun V-Bucks. Epic Games hisobingiz mintaqasini tanlang va kodni istalgan platformada faollashtiring.',
      activationInstructions: steps(
        'fortnite.com/vbuckscard sahifasini oching va Epic Games hisobingizga kiring.',
        'Buyurtmadagi kodni kiriting.',
        'Oʻynaydigan platformangizni tanlang: uni keyin oʻzgartirib boʻlmaydi.',
        'Tasdiqlang. V-Bucks oʻyinni keyingi safar ishga tushirganingizda koʻrinadi.',
      ),
    },
  },
  regions: [
    { code: 'EU', gameCurrency: null },
    { code: 'TR', gameCurrency: null },
    { code: 'US', gameCurrency: null },
  ],
  offers: [
    ...offersIn('EU', [
      [1000, 8_49, 675_00, 44, 'popular'],
      [2800, 21_99, 1749_00, 31, 'popular'],
      [5000, 34_99, 2789_00, 17],
      [13500, 84_99, 6769_00, 8],
    ]),
    ...offersIn('TR', [
      [1000, 6_49, 515_00, 58, 'popular'],
      [2800, 16_99, 1349_00, 36, 'popular'],
      [5000, 27_49, 2189_00, 21],
      [13500, 66_99, 5339_00, 5],
    ]),
    ...offersIn('US', [
      [1000, 8_79, 699_00, 25],
      [2800, 22_79, 1809_00, 19, 'popular'],
      [5000, 36_49, 2899_00, 7],
      [13500, 88_49, 7039_00, 0],
    ]),
  ],
  codePattern: 'XXXX-XXXX-XXXX-XXXX-XXXX',
})

export const demoGameCodes = [freefireCodes, roblox, fortnite]
