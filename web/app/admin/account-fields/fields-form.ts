import type { EditedField } from '@olmos/contract/account-fields'
import type { Language } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import type { AccountField } from '@olmos/contract/topup-data'
import { shownLanguages } from '../../i18n/languages.ts'

type Texts = Record<Language, string>

export interface OptionValues {
  value: string
  labels: Texts
}

/** A field as the form has it, in every language. */
export interface FieldValues extends Pick<EditedField, 'key' | 'type' | 'pattern' | 'isRequired'> {
  /** Tells fields apart while they are moved and renamed. */
  id: string
  labels: Texts
  hints: Texts
  lengthMin: number | string
  lengthMax: number | string
  options: OptionValues[]
}

export interface FieldsForm extends Record<string, unknown> {
  fields: FieldValues[]
}

const inEveryLanguage = (texts: Partial<Texts> = {}): Texts => ({ ru: '', en: '', uz: '', ...texts })

/** The languages that something is said in. */
const saidIn = (texts: Texts): Partial<Texts> =>
  Object.fromEntries(
    shownLanguages.flatMap((language) => (texts[language].trim() ? [[language, texts[language]]] : [])),
  )

export const newOption = (): OptionValues => ({ value: '', labels: inEveryLanguage() })

type Template = Pick<EditedField, 'key' | 'type' | 'labels'> & {
  [Part in keyof EditedField]?: EditedField[Part] | undefined
}

/** What games ask for most. The last one is blank. */
export const fieldTemplates = [
  {
    key: 'user_id',
    type: 'digits',
    labels: { ru: 'ID игрока', en: 'Player ID', uz: 'Oʻyinchi ID raqami' },
    lengthMax: 32,
  },
  { key: 'zone_id', type: 'digits', labels: { ru: 'ID зоны', en: 'Zone ID', uz: 'Zona ID raqami' }, lengthMax: 16 },
  { key: 'server', type: 'select', labels: { ru: 'Сервер', en: 'Server', uz: 'Server' } },
  { key: 'login', type: 'login', labels: { ru: 'Логин', en: 'Login', uz: 'Login' } },
  {
    key: 'username',
    type: 'text',
    labels: { ru: 'Имя пользователя', en: 'Username', uz: 'Foydalanuvchi nomi' },
  },
  { key: 'phone', type: 'phone', labels: { ru: 'Номер телефона', en: 'Phone number', uz: 'Telefon raqami' } },
  { key: '', type: 'text', labels: { ru: '', en: '', uz: '' } },
] as const satisfies readonly Template[]

const toValues = (field: Template, id: string): FieldValues => ({
  id,
  key: field.key,
  type: field.type,
  labels: inEveryLanguage(field.labels),
  hints: inEveryLanguage(field.hints),
  pattern: field.pattern ?? '',
  lengthMin: field.lengthMin ?? 1,
  lengthMax: field.lengthMax ?? 64,
  isRequired: field.isRequired ?? true,
  options: (field.options ?? []).map(({ value, labels }) => ({ value, labels: inEveryLanguage(labels) })),
})

export const toFieldsForm = (row: { fields: readonly Template[] } | undefined): FieldsForm => ({
  fields: row?.fields.map((field) => toValues(field, field.key)) ?? [],
})

/** Whether a field was added here and is not saved yet. */
export const isNew = ({ id }: FieldValues): boolean => /^new \d+$/.test(id)

/** Adds a field made by a template; one of a select has an option to fill in. */
export function newField(template: Template, fields: readonly FieldValues[]): FieldValues {
  const number = 1 + Math.max(0, ...fields.map(({ id }) => Number(/^new (\d+)$/.exec(id)?.[1] ?? 0)))
  const field = toValues(template, `new ${number}`)
  return withOptions(field)
}

/** A select has options, and nothing else has; it needs one to begin with. */
export const withOptions = (field: FieldValues): FieldValues =>
  field.type === 'select' && field.options.length === 0 ? { ...field, options: [newOption()] } : field

/** What is sent of it: a select is known by its options, anything else by its pattern and length. */
export const sentFields = ({ fields }: FieldsForm): EditedField[] =>
  fields.map(({ id: _, labels, hints, options, ...field }) => {
    const sent = { ...field, labels: { ...saidIn(labels), ru: labels.ru }, hints: saidIn(hints) }
    if (field.type !== 'select') {
      return { ...sent, lengthMin: Number(field.lengthMin), lengthMax: Number(field.lengthMax), options: [] }
    }
    const choices = options.map(({ value, labels }) => ({ value, labels: { ...saidIn(labels), ru: labels.ru } }))
    return { ...sent, pattern: '', lengthMin: 1, lengthMax: LIMITS.accountValueMax, options: choices }
  })

const isRepeated = (all: readonly string[], one: string) => all.filter((other) => other === one).length > 1

/** Finds what has to be filled in, or is there twice: path -> key. The store checks the rest. */
export function fieldsErrors({ fields }: FieldsForm): Record<string, string> {
  const errors: Record<string, string> = {}
  const keys = fields.map(({ key }) => key.trim())
  fields.forEach((field, index) => {
    const place = `fields.${index}`
    const key = field.key.trim()
    if (key === '') errors[`${place}.key`] = 'required'
    else if (isRepeated(keys, key)) errors[`${place}.key`] = 'duplicate'
    if (field.labels.ru.trim() === '') errors[`${place}.labels.ru`] = 'required'
    if (field.type === 'select') Object.assign(errors, optionErrors(field.options, place))
    else if (Number(field.lengthMin) > Number(field.lengthMax)) errors[`${place}.lengthMax`] = 'invalid_length'
  })
  return errors
}

function optionErrors(options: readonly OptionValues[], place: string): Record<string, string> {
  const errors: Record<string, string> = {}
  const values = options.map(({ value }) => value.trim())
  values.forEach((value, index) => {
    if (value === '') errors[`${place}.options.${index}.value`] = 'required'
    else if (isRepeated(values, value)) errors[`${place}.options.${index}.value`] = 'duplicate'
    if (options[index]?.labels.ru.trim() === '') errors[`${place}.options.${index}.labels.ru`] = 'required'
  })
  return errors
}

/** The fields as a customer of that language meets them. */
export const shownFields = ({ fields }: FieldsForm, language: Language): AccountField[] =>
  fields.map((field) => ({
    key: field.key,
    label: field.labels[language] || field.labels.ru,
    hint: field.hints[language] || field.hints.ru,
    type: field.type,
    required: field.isRequired,
    pattern: field.pattern,
    length_min: Number(field.lengthMin),
    length_max: Number(field.lengthMax),
    options: field.options.map(({ value, labels }) => ({ value, label: labels[language] || labels.ru })),
  }))
