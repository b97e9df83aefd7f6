import { codes, offersIn, steps, words } from '../demo.ts'

const playstation = codes({
  slug: 'playstation',
  color: '#0a5cd6',
  category: 'gift-cards',
  keywords: words(
    'playstation, ps store, psn, ps4, ps5, ps plus, sony',
    'плейстейшн, плейстейшен, псн, пс',
    'gift card',
    'подарочная карта',
    'sovgʻa kartasi, pleysteyshn',
  ),
  gameCurrency: 'USD',
  texts: {
    en: {
      title: 'PlayStation',
      description:
        'A PlayStation Store gift card for games, add-ons and PlayStation Plus on PS5 and PS4. Pick the region of your account.',
      activationInstructions: steps(
        'Check that the country of your PlayStation account matches the region of the card.',
        'Open PlayStation Store on the console, in the app or at store.playstation.com and log in.',
        'On the web choose your avatar, then “Redeem Codes”. On PS5: Settings, Users and Accounts, Account, Payment and Subscriptions, Redeem Codes. On PS4: PlayStation Store, “Redeem Codes” at the bottom of the menu.',
        'Enter the 12-character code from your order and confirm; the money is in your wallet at once.',
      ),
    },
    ru: {
      title: 'PlayStation',
      description:
        'Подарочная карта PlayStation Store: игры, дополнения и PlayStation Plus для PS5 и PS4. Выберите регион своего аккаунта.',
      activationInstructions: steps(
        'Проверьте, что страна вашего аккаунта PlayStation совпадает с регионом карты.',
        'Откройте PlayStation Store на консоли, в приложении или на store.playstation.com и войдите в аккаунт.',
        'На сайте выберите свой аватар, затем Redeem Codes. На PS5: «Настройки», «Пользователи и учётные записи», «Учётная запись», «Оплата и подписки», «Погашение кодов». На PS4: PlayStation Store, внизу меню «Погашение кодов».',
        'Введите код из 12 символов из заказа и подтвердите: деньги сразу поступят в бумажник.',
      ),
    },
    uz: {
      title: 'PlayStation',
      description:
        'PlayStation Store sovgʻa kartasi: PS5 va PS4 uchun oʻyinlar, qoʻshimchalar va PlayStation Plus. Hisobingiz mintaqasini tanlang.',
      activationInstructions: steps(
        'PlayStation hisobingiz mamlakati karta mintaqasiga mos kelishini tekshiring.',
        'PlayStation Store doʻkonini konsolda, ilovada yoki store.playstation.com saytida oching va hisobingizga kiring.',
        'Saytda avataringizni, soʻng “Redeem Codes” bandini tanlang. PS5: Settings, Users and Accounts, Account, Payment and Subscriptions, Redeem Codes. PS4: PlayStation Store, menyu oxirida “Redeem Codes”.',
        'Chekdagi 12 belgili kodni kiriting va tasdiqlang: pul darhol hamyoningizga tushadi.',
      ),
    },
  },
  regions: [
    { code: 'TR', gameCurrency: 'TRY' },
    { code: 'US', gameCurrency: 'USD' },
    { code: 'EU', gameCurrency: 'EUR' },
  ],
  offers: [
    ...offersIn('TR', [
      [250, 7_29, 579_00, 60, 'popular'],
      [500, 14_39, 1145_00, 57, 'popular'],
      [750, 21_49, 1709_00, 38],
      [1000, 28_49, 2259_00, 45, 'popular'],
      [1250, 35_49, 2819_00, 26],
      [1500, 42_49, 3379_00, 21],
      [2000, 56_49, 4489_00, 19],
      [2500, 70_49, 5599_00, 12],
      [3000, 83_99, 6679_00, 10],
      [4000, 111_49, 8869_00, 5],
      [5000, 138_99, 11049_00, 3],
    ]),
    ...offersIn('US', [
      [10, 10_99, 875_00, 51, 'popular'],
      [20, 21_49, 1709_00, 44, 'popular'],
      [25, 26_79, 2129_00, 39],
      [30, 31_99, 2545_00, 24],
      [40, 42_49, 3379_00, 18],
      [50, 52_99, 4215_00, 30, 'popular'],
      [60, 63_49, 5049_00, 16],
      [75, 79_29, 6299_00, 11],
      [100, 105_49, 8389_00, 14],
      [110, 115_99, 9219_00, 6],
      [150, 157_99, 12559_00, 4],
      [200, 209_99, 16699_00, 2],
    ]),
    ...offersIn('EU', [
      [10, 12_99, 1035_00, 42],
      [20, 25_49, 2029_00, 36, 'popular'],
      [25, 31_79, 2529_00, 27],
      [35, 44_29, 3519_00, 20],
      [50, 62_99, 5009_00, 23, 'popular'],
      [75, 94_29, 7499_00, 9],
      [100, 125_49, 9979_00, 7],
    ]),
  ],
  codePattern: 'XXXX-XXXX-XXXX',
})

const itunes = codes({
  slug: 'itunes',
  color: '#ff3d9a',
  category: 'gift-cards',
  keywords: words(
    'itunes, apple, app store, icloud, apple id',
    'айтюнс, эпл, эппл, апп стор, айклауд',
    'gift card',
    'подарочная карта',
    'sovgʻa kartasi, aytyuns',
  ),
  gameCurrency: 'USD',
  texts: {
    en: {
      title: 'iTunes',
      description:
        'A gift card for the Apple account balance: apps, games, iCloud+, music and subscriptions. Pick the country of your Apple account.',
      activationInstructions: steps(
        'Check that the country of your Apple account matches the region of the card.',
        'Open the App Store and tap your picture at the top.',
        'Choose “Redeem Gift Card or Code”, then “Enter Code Manually”.',
        'Enter the code from your order and tap “Redeem”; the balance grows at once.',
      ),
    },
    ru: {
      title: 'iTunes',
      description:
        'Подарочная карта для баланса Apple: приложения, игры, iCloud+, музыка и подписки. Выберите страну своего аккаунта Apple.',
      activationInstructions: steps(
        'Проверьте, что страна вашего аккаунта Apple совпадает с регионом карты.',
        'Откройте App Store и нажмите на своё фото вверху экрана.',
        'Нажмите «Погасить подарочную карту или код», затем «Ввести код вручную».',
        'Введите код из заказа и подтвердите: баланс сразу пополнится.',
      ),
    },
    uz: {
      title: 'iTunes',
      description:
        'Apple hisobi balansi uchun sovgʻa kartasi: ilovalar, oʻyinlar, iCloud+, musiqa va obunalar. Apple hisobingiz mamlakatini tanlang.',
      activationInstructions: steps(
        'Apple hisobingiz mamlakati karta mintaqasiga mos kelishini tekshiring.',
        'App Store doʻkonini oching va ekran yuqorisidagi suratingizni bosing.',
        '“Redeem Gift Card or Code”, soʻng “Enter Code Manually” bandini tanlang.',
        'Buyurtmadagi kodni kiriting va tasdiqlang: balans darhol toʻldiriladi.',
      ),
    },
  },
  regions: [
    { code: 'US', gameCurrency: 'USD' },
    { code: 'TR', gameCurrency: 'TRY' },
    { code: 'RU', gameCurrency: 'RUB' },
    { code: 'KZ', gameCurrency: 'KZT' },
  ],
  offers: [
    ...offersIn('US', [
      [5, 5_49, 435_00, 53],
      [10, 10_79, 855_00, 60, 'popular'],
      [15, 15_99, 1269_00, 33],
      [20, 21_29, 1689_00, 28],
      [25, 26_49, 2099_00, 41, 'popular'],
      [50, 52_79, 4179_00, 22, 'popular'],
      [100, 104_99, 8309_00, 12],
      [200, 208_99, 16539_00, 3],
    ]),
    ...offersIn('TR', [
      [50, 1_49, 119_00, 48],
      [100, 2_89, 229_00, 56, 'popular'],
      [250, 7_15, 565_00, 37, 'popular'],
      [500, 14_19, 1119_00, 25],
      [1000, 27_99, 2209_00, 16],
      [2000, 55_49, 4379_00, 7],
    ]),
    ...offersIn('RU', [
      [500, 7_09, 559_00, 60, 'popular'],
      [1000, 13_99, 1099_00, 52, 'popular'],
      [1500, 20_79, 1639_00, 34],
      [2000, 27_59, 2179_00, 30, 'popular'],
      [2500, 34_39, 2719_00, 19],
      [3000, 41_19, 3249_00, 17],
      [4000, 54_79, 4319_00, 11],
      [5000, 68_29, 5389_00, 13],
      [7000, 95_29, 7529_00, 5],
      [10000, 135_99, 10749_00, 2],
    ]),
    ...offersIn('KZ', [
      [5000, 10_29, 819_00, 26, 'popular'],
      [10000, 20_39, 1619_00, 18],
      [15000, 30_49, 2419_00, 10],
      [25000, 50_49, 4009_00, 6],
      [50000, 100_49, 7979_00, 2],
    ]),
  ],
  codePattern: 'XXXXXXXXXXXXXXXX',
})

const telegram = codes({
  slug: 'telegram',
  color: '#23a6f0',
  category: 'subscriptions',
  keywords: words(
    'telegram, telegram premium, premium, tg',
    'телеграм, телеграмм, тг, премиум, тг премиум, подписка',
    'telegramm, obuna',
  ),
  gameCurrency: 'months',
  texts: {
    en: {
      title: 'Telegram Premium',
      description:
        'Telegram Premium for 3, 6 or 12 months: 4 GB uploads, voice-to-text, doubled limits and no ads. Keep the code or send it to a friend.',
      activationInstructions: steps(
        'Add the code from your order to the end of this link: t.me/giftcode/',
        'Open the link in Telegram on the account that should get Premium.',
        'Check the term of the subscription and confirm the activation.',
        'A star appears next to the name: Premium is on.',
      ),
    },
    ru: {
      title: 'Telegram Premium',
      description:
        'Telegram Premium на 3, 6 или 12 месяцев: файлы до 4 ГБ, расшифровка голосовых, двойные лимиты и никакой рекламы. Код можно оставить себе или подарить.',
      activationInstructions: steps(
        'Добавьте код из заказа в конец ссылки: t.me/giftcode/',
        'Откройте ссылку в Telegram в том аккаунте, которому нужен Premium.',
        'Проверьте срок подписки и подтвердите активацию.',
        'Рядом с именем появится звезда: Premium подключён.',
      ),
    },
    uz: {
      title: 'Telegram Premium',
      description:
        '3, 6 yoki 12 oylik Telegram Premium: 4 GB gacha fayllar, ovozli xabarlarni matnga oʻgirish, limitlar ikki baravar, reklamasiz. Kodni oʻzingizga qoldiring yoki doʻstingizga sovgʻa qiling.',
      activationInstructions: steps(
        'Buyurtmadagi kodni ushbu havolaning oxiriga qoʻshing: t.me/giftcode/',
        'Havolani Premium kerak boʻlgan hisobdan Telegramda oching.',
        'Obuna muddatini tekshiring va faollashtirishni tasdiqlang.',
        'Ism yonida yulduzcha paydo boʻladi: Premium yoqildi.',
      ),
    },
  },
  offers: offersIn(null, [
    [3, 12_99, 1035_00, 46, 'popular'],
    [6, 17_49, 1389_00, 32],
    [12, 31_49, 2499_00, 24, 'popular'],
  ]),
  codePattern: 'XXXXXXXXXXXXXXXX',
})

export const demoGiftCards = [playstation, itunes, telegram]
