import { createHash } from 'node:crypto'
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

interface Payment {
  paymentId: number
  orderId: string
  /** What Init asked for, in kopecks. */
  initial: number
  /** What it is worth now. */
  amount: number
  status: string
  isSbp: boolean
  notificationUrl: string
  receipt: ReceiptAnswer | undefined
  /** The keys of the refunds it knows. SBP's are not kept. */
  refundKeys: Set<string>
  /** A refund that SBP has not decided. */
  waiting: number
  qrCancelCode?: string
}

interface ReceiptAnswer {
  FfdVersion: string
  Email?: string
  Phone?: string
  Taxation?: string
  Items: { Name: string; Price: number; Quantity: number; Amount: number; Tax: string; MeasurementUnit?: string }[]
}

interface NotificationWish {
  password?: string
  /** Written over the notification before it is signed. */
  changes?: Record<string, unknown>
}

export interface TbankDouble extends VendorDouble {
  terminalKey: string
  password: string
  payments: Map<string, Payment>
  /** Refuses a second operation of an order's id. */
  isOrderIdOnce: boolean
  /** Whether the shop's terminal has a cash register. */
  needsReceipts: boolean
  /** Whether refunds by SBP are decided later. */
  isRefundSlow: boolean
  /** What it answers to every refund instead of making it. */
  refusesRefunds: { ErrorCode: string; Message: string; Details: string } | undefined
  /** The receipts that refunds came with. */
  refundReceipts: ReceiptAnswer[]
  pay(id: string): void
  decline(id: string): void
  /** Refunds kopecks of a payment in the cabinet. */
  refundByHand(id: string, amount: number): void
  /** Decides a refund that waits. */
  endRefund(id: string, status: 'succeeded' | 'failed'): void
  /** Makes the notification it would send now. */
  notification(id: string, wish?: NotificationWish): Buffer
}

const refusal = (code: string, message: string, details?: string): VendorAnswer => ({
  status: 200,
  body: { Success: false, ErrorCode: code, Message: message, ...(details && { Details: details }) },
})

/** The answers to a wrong password, and to a payment without the receipt it needs. */
export const tbankRefusals = {
  all: refusal('204', 'Неверный токен. Проверьте пару TerminalKey/SecretKey'),
  parameter: refusal('309', 'Поле Receipt не должно быть пустым', 'expected.receipt'),
}

/** Signs as T-Bank and its shops do: the values at the root, sorted by name, with the password among them. */
export function signTbank(fields: Readonly<Record<string, unknown>>, password: string): string {
  const { Token: _, ...signed } = { ...fields, Password: password } as Record<string, unknown>
  const names = Object.keys(signed).filter((name) => signed[name] !== null && typeof signed[name] !== 'object')
  const text = names.sort().map((name) => String(signed[name]))
  return createHash('sha256').update(text.join('')).digest('hex')
}

const taxes = 'none vat0 vat5 vat7 vat10 vat20 vat22 vat105 vat107 vat110 vat120 vat122'.split(' ')
const open = ['NEW', 'FORM_SHOWED']
const reads = ['GetState', 'CheckOrder', 'GetQr', 'GetQrState']

/** T-Bank's acquiring by tbank.ru/kassa/dev/payments: every answer has the status 200, and every call is a POST. */
export async function startTbank(): Promise<TbankDouble> {
  const terminalKey = 'TinkoffBankTest'
  const password = '12345678'
  const payments = new Map<string, Payment>()
  let last = 3_093_639_566

  const shown = ({ paymentId, orderId, status, amount }: Payment) => ({
    Success: true,
    ErrorCode: '0',
    TerminalKey: terminalKey,
    Status: status,
    PaymentId: String(paymentId),
    OrderId: orderId,
    Amount: amount,
  })

  /** Says what a cash register would refuse. */
  const checkReceipt = (receipt: ReceiptAnswer | undefined, amount: number): VendorAnswer | undefined => {
    if (!receipt) return self.needsReceipts ? tbankRefusals.parameter : undefined
    if (!receipt.Email && !receipt.Phone) return refusal('329', 'email или Phone обязательны при передаче чека')
    if (!receipt.Taxation) return refusal('201', 'Поле taxation не должно быть пустым')
    if (receipt.Items.length > 100) return refusal('201', 'Неверный параметр Items')
    if (receipt.Items.some((item) => !taxes.includes(item.Tax))) return refusal('201', 'Неверный параметр Tax')
    if (receipt.Items.some(({ Price, Quantity, Amount }) => Price * Quantity !== Amount || Amount <= 0))
      return refusal('308', 'Сумма всех позиций в чеке должна равняться сумме всех видов оплаты')
    const total = receipt.Items.reduce((sum, { Amount }) => sum + Amount, 0)
    return total === amount ? undefined : refusal('334', 'Суммы в чеке и в платеже не совпадают')
  }

  const init = (wanted: Record<string, unknown>): VendorAnswer => {
    const [amount, orderId] = [Number(wanted.Amount), String(wanted.OrderId)]
    const receipt = wanted.Receipt as ReceiptAnswer | undefined
    if (!Number.isInteger(amount) || amount < 100) return refusal('251', 'Неверная сумма')
    if (orderId.length > 36) return refusal('212', 'Размер поля OrderId должен быть от 1 до 36')
    const dueMs = Date.parse(String(wanted.RedirectDueDate)) - Date.now()
    const isDueWritten = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+]\d\d:\d\d$/.test(String(wanted.RedirectDueDate))
    if (!isDueWritten || dueMs < 60_000) return refusal('12', 'Неверный параметр RedirectDueDate')
    if (self.isOrderIdOnce && [...payments.values()].some((known) => known.orderId === orderId))
      return refusal('20', 'Ошибка повторного идентификатора заказа')
    const wrong = checkReceipt(receipt, amount)
    if (wrong) return wrong
    last += 1
    const payment: Payment = {
      paymentId: last,
      orderId,
      initial: amount,
      amount,
      status: 'NEW',
      isSbp: false,
      notificationUrl: String(wanted.NotificationURL),
      receipt,
      refundKeys: new Set(),
      waiting: 0,
    }
    payments.set(String(last), payment)
    return { status: 200, body: { ...shown(payment), PaymentURL: `https://securepay.tinkoff.example/new/${last}` } }
  }

  const getQr = (payment: Payment): VendorAnswer => {
    payment.isSbp = true
    const { orderId: OrderId, paymentId: PaymentId } = payment
    const Data = `https://qr.nspk.example/AS${PaymentId}?type=02&sum=${payment.amount}&cur=RUB`
    return {
      status: 200,
      body: { TerminalKey: terminalKey, OrderId, Success: true, Data, PaymentId, ErrorCode: '0', Message: 'OK' },
    }
  }

  const take = (payment: Payment, amount: number) => {
    payment.amount -= amount
    payment.status = payment.amount === 0 ? 'REFUNDED' : 'PARTIAL_REFUNDED'
  }

  const cancel = (payment: Payment, wanted: Record<string, unknown>): VendorAnswer => {
    const amount = Number(wanted.Amount ?? payment.amount)
    const key = String(wanted.ExternalRequestId ?? '')
    const before = payment.amount
    const answer = () => ({
      status: 200,
      body: { ...shown(payment), Amount: undefined, OriginalAmount: before, NewAmount: payment.amount },
    })
    if (open.includes(payment.status)) {
      payment.status = 'CANCELED'
      return answer()
    }
    if (payment.refundKeys.has(key)) return answer()
    if (self.refusesRefunds) return { status: 200, body: { Success: false, ...self.refusesRefunds } }
    if (!['CONFIRMED', 'PARTIAL_REFUNDED'].includes(payment.status))
      return refusal('4', 'Не получится изменить статус платежа')
    if (amount > payment.amount) return refusal('330', 'Сумма в запросе больше чем в оригинальной транзакции')
    const receipt = wanted.Receipt as ReceiptAnswer | undefined
    const wrong = amount < payment.initial || receipt ? checkReceipt(receipt, amount) : undefined
    if (wrong) return wrong
    if (receipt) self.refundReceipts.push(receipt)
    if (key && !payment.isSbp) payment.refundKeys.add(key)
    if (payment.isSbp && self.isRefundSlow) {
      payment.status = 'ASYNC_REFUNDING'
      payment.waiting = amount
    } else take(payment, amount)
    return answer()
  }

  const act = ({ path, body }: VendorRequest): VendorAnswer => {
    const wanted = JSON.parse(body)
    if (wanted.TerminalKey !== terminalKey) return refusal('501', 'Терминал не найден')
    if (wanted.Token !== signTbank(wanted, password)) return tbankRefusals.all
    const method = path.slice(1)
    if (method === 'Init') return init(wanted)
    if (method === 'CheckOrder') {
      const made = [...payments.values()].filter(({ orderId }) => orderId === wanted.OrderId)
      if (made.length === 0) return refusal('335', 'OrderId не найден для TerminalKey')
      const Payments = made.map((one) => ({
        PaymentId: String(one.paymentId),
        Amount: one.amount,
        Status: one.status,
        Success: 'true',
        ErrorCode: 0,
      }))
      const head = { TerminalKey: terminalKey, OrderId: wanted.OrderId, Success: true, ErrorCode: '0' }
      return { status: 200, body: { ...head, Payments } }
    }
    const payment = payments.get(String(wanted.PaymentId))
    if (!payment) return refusal('255', 'Платеж не найден')
    if (method === 'GetState') return { status: 200, body: shown(payment) }
    if (method === 'GetQr') return getQr(payment)
    if (method === 'GetQrState') {
      const failure = payment.qrCancelCode && {
        QrCancelCode: payment.qrCancelCode,
        QrCancelMessage: 'У клиента нет расчетного счета в этом банке',
      }
      return { status: 200, body: { ...shown(payment), Amount: payment.initial, ...failure } }
    }
    return method === 'Cancel' ? cancel(payment, wanted) : refusal('407', 'Не найдено')
  }

  const double = await startVendor(act, ({ path }) => reads.includes(path.slice(1)))
  const at = (id: string): Payment => {
    const payment = payments.get(id)
    if (!payment) throw new Error('T-Bank has no such payment')
    return payment
  }
  const self = Object.assign(double, {
    terminalKey,
    password,
    payments,
    isOrderIdOnce: false,
    needsReceipts: false,
    isRefundSlow: false,
    refusesRefunds: undefined as TbankDouble['refusesRefunds'],
    refundReceipts: [] as ReceiptAnswer[],
    pay: (id: string) => void Object.assign(at(id), { status: 'CONFIRMED' }),
    decline: (id: string) => void Object.assign(at(id), { status: 'REJECTED' }),
    refundByHand: (id: string, amount: number) => {
      if (amount > at(id).amount) throw new Error('T-Bank would not let anybody do that')
      take(at(id), amount)
    },
    endRefund: (id: string, status: 'succeeded' | 'failed') => {
      const payment = at(id)
      if (status === 'succeeded') take(payment, payment.waiting)
      else {
        payment.status = payment.amount === payment.initial ? 'CONFIRMED' : 'PARTIAL_REFUNDED'
        payment.qrCancelCode = 'I05043'
      }
      payment.waiting = 0
    },
    notification: (id: string, { password: key = password, changes }: NotificationWish = {}) => {
      const { paymentId, orderId, status, amount } = at(id)
      const told = {
        TerminalKey: terminalKey,
        OrderId: orderId,
        Success: status !== 'REJECTED',
        Status: status,
        PaymentId: paymentId,
        ErrorCode: status === 'REJECTED' ? '1051' : '0',
        Amount: amount,
        CardId: 322264,
        Pan: '430000******0777',
        ExpDate: '1122',
        Data: { Source: 'cards', Route: 'ACQ' },
        ...changes,
      }
      return Buffer.from(JSON.stringify({ ...told, Token: signTbank(told, key) }))
    },
  } satisfies Omit<TbankDouble, keyof VendorDouble>)
  return self
}
