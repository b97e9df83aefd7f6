import { expect, test } from 'vitest'
import { renderForTest } from '../../admin/render-for-test.tsx'
import { PayBar } from './PayPanel.tsx'

/** An order of 99 roubles, by a method that costs nothing on top. */
const anOrder = {
  total: 99,
  coupon: undefined,
  currency: 'RUB' as const,
  currencies: ['RUB' as const],
  payable: ['RUB' as const],
  onCurrency: () => undefined,
  methods: {
    isPending: false,
    isNone: false,
    methods: [],
    chosen: undefined,
    isStale: false,
    choose: () => undefined,
  },
  isChecking: false,
  busy: undefined,
  refusal: undefined,
  onPayFromBalance: () => undefined,
  onPayByCard: () => undefined,
  part: null,
  email: null,
  promise: '',
}

test.each([
  { balance: 98, isPartOn: false, rest: 99, button: /картой/ },
  { balance: 99, isPartOn: false, rest: 99, button: /с баланса/ },
  { balance: 99, isPartOn: true, rest: 49, button: /картой/ },
  // What was typed is no amount, so that all of it is left.
  { balance: 99, isPartOn: true, rest: 99, button: /картой/ },
])(
  'with $balance and a part $isPartOn that leaves $rest, the one button says $button',
  ({ balance, button, ...part }) => {
    const html = renderForTest(<PayBar {...anOrder} {...part} balances={{ RUB: balance, USD: 0 }} />, {
      permissions: [],
    })
    expect(html).toMatch(button)
  },
)
