import { type DemoProduct, offersIn, steps } from '../demo.ts'

export const fortnite: DemoProduct = {
  slug: 'fortnite',
  kind: 'code',
  category: 'games',
  keywords: [
    'fortnite',
    'v-bucks',
    'vbucks',
    'epic games',
    'фортнайт',
    'фортнит',
    'вбаксы',
    'в-баксы',
    'fortnayt',
    'gift card',
    'подарочная карта',
    'sovgʻa kartasi',
  ],
  gameCurrency: 'V-Bucks',
  imageUrl: '/art/fortnite.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Fortnite',
      description:
        'V-Bucks for outfits, emotes and the Battle Pass. Choose the region of your Epic Games account and activate the code on any platform.',
      activationInstructions: steps(
        'Open fortnite.com/vbuckscard and log in to your Epic Games account.',
        'Enter the code from your receipt.',
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
        'Введите код из чека.',
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
        'Chekdagi kodni kiriting.',
        'Oʻynaydigan platformangizni tanlang: uni keyin oʻzgartirib boʻlmaydi.',
        'Tasdiqlang. V-Bucks oʻyin keyingi safar ishga tushganda koʻrinadi.',
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
}
