import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Children, createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { I18n } from '../i18n/i18n.ts'
import { I18nContext } from '../i18n/use-translation.ts'
import { BulkChangeForm } from './price-rules/BulkChangeForm.tsx'
import { BulkOffersForm } from './price-rules/BulkOffersForm.tsx'
import { BalanceForm } from './users/BalanceForm.tsx'

type Part = ReactElement<Record<string, unknown>>
type Props = Part['props']

const keys = { t: (key: string) => key, language: 'en' }
const i18n = { current: () => keys, subscribe: () => () => {} } as unknown as I18n

const toParts = (node: ReactNode): Part[] =>
  Children.toArray(node).flatMap((part) =>
    isValidElement<Props>(part) ? [part, ...toParts(part.props.children as ReactNode)] : [],
  )

interface Filled {
  /** Renders the form, so many times before. */
  form(times: number): ReactElement
  isField(props: Props): boolean
  typed: unknown
}

/** Fills one field of a form, and returns what the form was made of first, and then. */
function fillIn({ form, isField, typed }: Filled): Part[][] {
  const made: Part[][] = []
  const Probe = () => {
    const parts = toParts(form(made.length))
    made.push(parts)
    const change = parts.find(({ props }) => isField(props))?.props.onChange
    if (made.length === 1 && typeof change === 'function') change(typed)
    return null
  }
  const inLanguage = createElement(I18nContext.Provider, { value: i18n }, createElement(Probe))
  renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, inLanguage))
  return made
}

test('a reason alone sets no balance, whatever was read of the user since', () => {
  const user = { id: 1, balanceUsd: 10, balanceRub: 0 } as Parameters<typeof BalanceForm>[0]['user']
  const later = { ...user, balanceUsd: 8 }
  const made = fillIn({
    form: (times) => BalanceForm({ user: times === 0 ? user : later, onUnsaved: () => {} }),
    isField: ({ value }) => value === '',
    typed: 'a gift',
  })
  const isOff = (parts: Part[]) => parts.find(({ props }) => props.type === 'submit')?.props.disabled
  expect(made.map(isOff)).toEqual(made.map(() => true))
  expect(made.at(-1)?.some(({ props }) => props.value === 'a gift')).toBe(true)
})

const bulk = { selections: [{ of: 'shop' }], onClose: () => {}, onDone: () => {} } as const
const percents = { usd: '5', rub: '', roundingUsd: 'hundredth', roundingRub: 'whole' }

test.each<[string, Filled]>([
  [
    'prices by a percentage',
    { form: () => BulkChangeForm(bulk), isField: (props) => 'percents' in props, typed: percents },
  ],
  [
    'prices by the rules',
    {
      form: () => BulkChangeForm(bulk),
      isField: ({ label }) => label === 'admin.priceRules.how',
      typed: 'rule',
    },
  ],
  [
    'packages',
    {
      form: () => BulkOffersForm(bulk),
      isField: ({ label }) => label === 'admin.priceRules.offers.sale',
      typed: { currentTarget: { value: 'off' } },
    },
  ],
])('a change of many %s that was begun is not left without a question', (_what, filled) => {
  expect(fillIn(filled).map(([view]) => view?.props.isUnsaved)).toEqual([false, true])
})
