import { type DemoProduct, offersIn, steps } from '../demo.ts'

export const telegram: DemoProduct = {
  slug: 'telegram',
  kind: 'code',
  category: 'subscriptions',
  keywords: [
    'telegram',
    'telegram premium',
    'premium',
    'tg',
    'телеграм',
    'телеграмм',
    'тг',
    'премиум',
    'тг премиум',
    'подписка',
    'telegramm',
    'obuna',
  ],
  gameCurrency: 'months',
  imageUrl: '/art/telegram.svg',
  supportsCodeGeneration: false,
  codePrefix: null,
  texts: {
    en: {
      title: 'Telegram Premium',
      description:
        'Telegram Premium for 3, 6 or 12 months: 4 GB uploads, voice-to-text, doubled limits and no ads. Keep the code or send it to a friend.',
      activationInstructions: steps(
        'Add the code from your receipt to the end of this link: t.me/giftcode/',
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
        'Добавьте код из чека в конец ссылки: t.me/giftcode/',
        'Откройте ссылку в Telegram в том аккаунте, которому нужен Premium.',
        'Проверьте срок подписки и подтвердите активацию.',
        'Рядом с именем появится звезда: Premium подключён.',
      ),
    },
    uz: {
      title: 'Telegram Premium',
      description:
        '3, 6 yoki 12 oylik Telegram Premium: 4 GB gacha fayllar, ovozli xabarlarni matnga oʻgirish, ikki baravar limitlar va reklamasiz. Kodni oʻzingizga qoldiring yoki doʻstingizga sovgʻa qiling.',
      activationInstructions: steps(
        'Chekdagi kodni ushbu havolaning oxiriga qoʻshing: t.me/giftcode/',
        'Havolani Premium kerak boʻlgan hisobdan Telegramda oching.',
        'Obuna muddatini tekshiring va faollashtirishni tasdiqlang.',
        'Ism yonida yulduzcha paydo boʻladi: Premium yoqildi.',
      ),
    },
  },
  regions: [],
  offers: offersIn(null, [
    [3, 12_99, 1035_00, 46, 'popular'],
    [6, 17_49, 1389_00, 32],
    [12, 31_49, 2499_00, 24, 'popular'],
  ]),
  codePattern: 'XXXXXXXXXXXXXXXX',
}
