import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alertKinds } from '@olmos/contract/alerts'
import { auditActions } from '@olmos/contract/audit'
import { auditFields } from '@olmos/contract/audit-fields'
import { expect, test } from 'vitest'
import { asksFor, toStem } from '../../asked-texts.ts'
import { en as adminEn } from '../admin/i18n/en.ts'
import { ru as adminRu } from '../admin/i18n/ru.ts'
import { uz as adminUz } from '../admin/i18n/uz.ts'
import { en } from './en.ts'
import { ru } from './ru.ts'
import { createTranslate, type Texts } from './translate.ts'
import { uz } from './uz.ts'

// Types hold `t` to the keys there are and each language to the keys of English: texts.ts. Here stands what types can't say.

/** Keys are written with slashes here, as a name may have dots in it: `admin/alerts/kind/supplier.out`. */
const flat = (texts: Texts, path = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value] as [string, string]] : flat(value, `${path}${name}/`),
  )

const store = { en: flat(en), ru: flat(ru), uz: flat(uz) }
const admin = { en: flat(adminEn), ru: flat(adminRu), uz: flat(adminUz) }
const languages = ['en', 'ru', 'uz'] as const
const toTexts = (language: (typeof languages)[number]) => [...store[language], ...admin[language]]

const plural = /_(one|few|many|other)$/
const pluralForms = { en: ['one', 'other'], ru: ['few', 'many', 'one'], uz: ['other'] }

/** What the texts of each key say, by key; the forms of a plural are one key. */
function byStem(texts: [key: string, text: string][], told: (key: string, text: string) => string[]) {
  const all = new Map<string, Set<string>>()
  for (const [key, text] of texts) all.set(toStem(key), new Set([...(all.get(toStem(key)) ?? []), ...told(key, text)]))
  return Object.fromEntries([...all].map(([stem, words]) => [stem, [...words].sort()]))
}

test.each(languages)('%s has the keys of English with the plural forms it needs, and no empty text', (language) => {
  const formsIn = (of: typeof language) =>
    byStem(toTexts(of), (key) => [plural.exec(key)?.[1]].filter((form) => !!form) as string[])
  const wanted = Object.entries(formsIn('en')).map(([key, forms]) => [
    key,
    forms.length > 0 ? pluralForms[language] : [],
  ])
  expect(formsIn(language)).toEqual(Object.fromEntries(wanted))
  expect(toTexts(language).filter(([, text]) => text.trim() === '')).toEqual([])
})

test.each(languages)('%s has the placeholders and tags of English', (language) => {
  const placeholders = (of: typeof language) =>
    byStem(toTexts(of), (_, text) => text.match(/\{\{[^}]*\}\}|<\w+>/g) ?? [])
  expect(placeholders(language)).toEqual(placeholders('en'))
})

test('no text of the admin area takes the place of one of the store', () => {
  const keys = toTexts('en').map(([key]) => key)
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

const root = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/i18n/**/{ru,en,uz}.ts', '**/*.test.*'] })
const readSource = (file: string) => readFileSync(join(root, file), 'utf8')

test('every text is asked for', () => {
  const isAsked = asksFor(files.map(readSource))
  expect(toTexts('en').filter(([key]) => !isAsked(toStem(key)))).toEqual([])
})

test('pages of the store ask for no text of the admin area, which customers do not load', () => {
  const isAsked = asksFor(files.filter((file) => !file.startsWith('admin/')).map(readSource))
  // What the contract says of a field is a group in both.
  const known = admin.en.filter(([key]) => !key.startsWith('field/'))
  expect(known.filter(([key]) => isAsked(toStem(key)))).toEqual([])
})

test.each(languages)('%s has a word for every field that the audit log tells of', (language) => {
  const words = new Map(admin[language])
  expect(auditFields.filter((field) => !words.get(`admin/audit/field/${field}`)?.trim())).toEqual([])
})

test('a name that has a dot in it is found as it is', () => {
  const t = createTranslate('en', [en, adminEn])
  const all = [
    ...alertKinds.map((kind) => `admin.alerts.kind.${kind}`),
    ...auditActions.map((name) => `admin.audit.did.${name}`),
  ]
  expect(all.filter((key) => t(key, { defaultValue: '' }) === '')).toEqual([])
})

interface Banned {
  /** Words for something that has another name here. */
  not: RegExp
  say: string
  /** What the admin area alone must not say: the store has wallets of Steam. */
  isOfAdmin?: boolean
}

/** One word for one thing, in each language. */
const banned: Record<(typeof languages)[number], Banned[]> = {
  en: [
    { not: /\bshops?\b(?! ID)/i, say: 'store' },
    { not: /\bcustomers?\b/i, say: 'buyer' },
    { not: /\bwallets?\b/i, say: 'balance', isOfAdmin: true },
    { not: /\bshel(f|ves)\b/i, say: 'in stock' },
    { not: /second factor/i, say: 'two-factor protection' },
    { not: /(?<!\{)\bids?\b/, say: 'ID' },
    { not: /\blatin\b/, say: 'Latin' },
    { not: /e-mail/i, say: 'email' },
    { not: /practice bank/i, say: 'test bank' },
    { not: /\banew\b|gives? back|go(es)? on with/i, say: 'again, refund, continue' },
  ],
  ru: [
    { not: /тревог/i, say: 'проблема' },
    { not: /клиент/i, say: 'покупатель' },
    { not: /учётн\S+ запис/i, say: 'аккаунт' },
    { not: /втор(ой|ого|ым) фактор/i, say: 'двухфакторная защита' },
    { not: /витрин|\bполк[аиеу]|с полки|склад(?!ыва)/i, say: 'в наличии' },
    { not: /движени[еяйю]/i, say: 'операция' },
    { not: /админ-панел/i, say: 'панель управления' },
    { not: /учебный банк/i, say: 'тестовый банк' },
    { not: /(?<!-)знак(а|ов|и)?(?![а-яё])(?! после запятой)/i, say: 'символ' },
    { not: /не вышло|не получилось скопировать/i, say: 'не удалось' },
  ],
  uz: [
    { not: /mijoz/i, say: 'xaridor' },
    { not: /taʼminotchi/i, say: 'yetkazib beruvchi' },
    { not: /ikkinchi omil/i, say: 'ikki bosqichli himoya' },
    { not: /chop etilmagan|eʼlon qil/i, say: 'sotuvga chiqarish' },
    { not: /mashhur|\bxit\b/i, say: 'ommabop' },
    { not: /oʻquv banki/i, say: 'sinov banki' },
    { not: /(?<![a-zʻʼ])shakl/i, say: 'forma' },
    { not: /strelka/i, say: 'yoʻnalish tugmalari' },
    { not: /harakat(?!s)/i, say: 'operatsiya' },
    // An ending can't stand alone, and what is filled in can end in anything.
    {
      not: /\}\} ?(ni|ning|dan|da|dagi|ga)(?![a-zʻʼ])|[A-Za-z]-(ga|ni|da|dan)(?![a-z])/,
      say: 'a sentence without the ending',
    },
  ],
}

test.each(languages)('%s has one word for one thing', (language) => {
  const wrong = banned[language].flatMap(({ not, say, isOfAdmin }) =>
    (isOfAdmin ? admin[language] : toTexts(language))
      .filter(([, text]) => not.test(text))
      .map(([key, text]) => `${key}: ${text} (say: ${say})`),
  )
  expect(wrong).toEqual([])
})

/** How each language is typed; a placeholder may stand for a number. */
const untidy: Record<(typeof languages)[number], RegExp> = {
  // Commas set thousands apart, and nothing stands before a percent sign.
  en: /[«»„]|[\s\u00A0]%|\d\s\d{3}(?!\d)/,
  ru: /[“”„’]|(?<!\u00A0)%|\d[ \u202F]\d{3}(?!\d)|№(?!\u00A0)/,
  // The letters oʻ and gʻ have U+02BB, the tutuq is U+02BC; Steam's page says login’s account.
  uz: /[«»„‘`´]|(?<!login)’|(?<![oOgG])ʻ|[oOgG]ʼ|[\s\u00A0]%|\d[ \u202F]\d{3}(?!\d)|№(?!\u00A0)/,
}

test.each(languages)(
  '%s is typed as the language is: its quotation marks, apostrophes, spaces and digits',
  (language) => {
    const everywhere = /!|\.\.\.|["']| {2}|^\s|\s$/
    const wrong = toTexts(language).filter(([, text]) => everywhere.test(text) || untidy[language].test(text))
    expect(wrong).toEqual([])
  },
)
