import { expect, test } from 'vitest'
import { en as adminEn } from '../admin/i18n/en.ts'
import { en } from './en.ts'
import { createI18n } from './i18n.ts'
import { ru } from './ru.ts'
import { createTranslate } from './translate.ts'
import { uz } from './uz.ts'

const t = createTranslate('en', [en, adminEn])

test('numbers that are filled in are grouped, and those that name something are not', () => {
  expect(t('cart.count', { count: 12_345 })).toBe('12\u00A0345 items')
  expect(t('admin.payments.atRate', { rate: 12_345.678_9 })).toBe('at 12345.6789')
  expect(t('profile.id', { id: 12_345 })).toBe('User ID: 12345')
})

test.each([
  ['en', en, ['1 left', '2 left', '5 left', '21 left', '1.5 left']],
  ['ru', ru, ['Остался 1', 'Осталось 2', 'Осталось 5', 'Остался 21', 'Осталось 1.5']],
  ['uz', uz, ['1 ta qoldi', '2 ta qoldi', '5 ta qoldi', '21 ta qoldi', '1.5 ta qoldi']],
] as const)('%s counts in its own forms', (language, texts, counted) => {
  const count = createTranslate(language, [texts])
  expect([1, 2, 5, 21, 1.5].map((left) => count('product.left', { count: left }))).toEqual(counted)
})

test('a key without a text becomes its default, or itself, whatever objects inherit', () => {
  const odd = createTranslate('en', [{ failure: { KNOWN: 'Known {{what}}' } }]) as unknown as (
    key: string,
    values?: object,
  ) => string
  expect(odd('failure.KNOWN', { what: '$&' })).toBe('Known $&')
  expect(odd('failure.KNOWN')).toBe('Known ')
  expect(odd('failure.OTHER', { defaultValue: '' })).toBe('')
  for (const key of ['failure', 'failure.constructor', '__proto__', 'failure.KNOWN.length', ''])
    expect(odd(key)).toBe(key)
})

test('a page hears of texts that were added and of another language, once', () => {
  const i18n = createI18n('en', { texts: [{ cart: { title: 'Cart' } }] })
  const heard: string[] = []
  const stop = i18n.subscribe(() => heard.push(String(i18n.current().t('cart.title'))))
  i18n.add('ru', ru)
  const more = { orders: { title: 'Orders' } }
  i18n.add('en', more)
  i18n.add('en', more)
  expect(i18n.current().t('orders.title')).toBe('Orders')
  i18n.show('ru')
  stop()
  i18n.show('en')
  expect(heard).toEqual(['Cart', 'Корзина'])
})

test('the words of the owner stand before those of the store, and the name of the shop in all of them', () => {
  const own = { name: 'Kamon', texts: { en: { 'cart.title': 'Your basket at @{name}' } } }
  const texts = [{ cart: { title: 'Cart' }, home: { title: '@{name}: codes' } }]
  const t = createTranslate('en', texts, own)
  expect([t('cart.title'), t('home.title')]).toEqual(['Your basket at Kamon', 'Kamon: codes'])
  expect(createTranslate('uz', texts, own)('cart.title')).toBe('Cart')
})

test('a name that looks like a placeholder or a pattern is told as it is', () => {
  const t = createTranslate('en', [{ home: { title: '@{name}: codes' } }], { name: '$& {{count}}', texts: {} })
  expect(t('home.title', { count: 3 } as never)).toBe('$& {{count}}: codes')
})
