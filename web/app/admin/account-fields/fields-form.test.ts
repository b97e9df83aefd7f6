import { expect, test } from 'vitest'
import { fieldsErrors, fieldTemplates, newField, sentFields, shownFields, toFieldsForm } from './fields-form.ts'

const [userId, , server, , , , blank] = fieldTemplates

const make = (...templates: (typeof fieldTemplates)[number][]) =>
  templates.reduce(
    ({ fields }, template) => ({ fields: [...fields, newField(template, fields)] }),
    toFieldsForm(undefined),
  )

test('what is sent and read again is the same form', () => {
  const form = make(userId, server)
  Object.assign(form.fields[1]?.options[0] ?? {}, { value: 'asia', labels: { ru: 'Азия', en: '', uz: '' } })
  const sent = sentFields(form)
  expect(sent[1]).toMatchObject({ pattern: '', options: [{ value: 'asia', labels: { ru: 'Азия' } }] })
  expect(sentFields(toFieldsForm({ fields: sent }))).toEqual(sent)
})

test('what is missing or there twice stands at its own field', () => {
  expect(fieldsErrors(make(blank, server))).toEqual({
    'fields.0.key': 'required',
    'fields.0.labels.ru': 'required',
    'fields.1.options.0.value': 'required',
    'fields.1.options.0.labels.ru': 'required',
  })
  expect(fieldsErrors(make(userId, userId))).toEqual({ 'fields.0.key': 'duplicate', 'fields.1.key': 'duplicate' })
  const form = make(userId)
  Object.assign(form.fields[0] ?? {}, { lengthMin: 9, lengthMax: 8 })
  expect(fieldsErrors(form)).toEqual({ 'fields.0.lengthMax': 'invalid_length' })
})

test('fields that are added are told apart, also after one was taken away', () => {
  const { fields } = make(userId, userId, userId)
  const left = fields.slice(1)
  const ids = [...left, newField(userId, left)].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
})

test('a language that is blank is shown in Russian', () => {
  const form = make(userId)
  Object.assign(form.fields[0] ?? {}, {
    labels: { ru: 'ID', en: '', uz: 'Raqam' },
    hints: { ru: 'Из профиля', en: '', uz: '' },
  })
  expect(shownFields(form, 'en')).toMatchObject([{ label: 'ID', hint: 'Из профиля' }])
  expect(shownFields(form, 'uz')).toMatchObject([{ label: 'Raqam', hint: 'Из профиля' }])
})
