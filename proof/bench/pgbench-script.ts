import { tokenHashSql } from './buyers.ts'
import type { Checkout } from './statements.ts'

export interface Script {
  text: string
  /** What never changes, given on the command line. */
  variables: Record<string, string>
  /** What the store sets in its transactions, as options of a connection: pgbench would need a round trip for it. */
  connectionOptions: string
}

const setting = /^SET LOCAL (\w+) = (\w+)$/

// Buyers in turn, none twice: each of pgbench's clients has its own. `first` and `version` are given.
const head = (clients: number) => `\\set turn :turn + 1
\\set buyer :first + :turn * ${clients} + :client_id
\\set serial :version * 100000000 + :buyer
`
const keySql = "lpad(:serial, 36, '0')"
// No order of the store begins with a digit this big, and none of these is made twice: the factor is odd.
const orderIdSql = "'Z' || lpad(upper(to_hex(:serial::bigint * 28411 % 68719476736)), 9, '0')"

/** Writes the statements as a script for pgbench: what belongs to one checkout becomes a variable. */
export function pgbenchScript(checkout: Checkout, clients: number): Script {
  const variables: Record<string, string> = { order_seen: checkout.orderId }

  const expressionFor = (value: unknown): string => {
    if (value === null || value === undefined) return 'NULL'
    if (value === checkout.buyer) return ':buyer'
    if (value === checkout.cartVersion) return ':version'
    if (value === checkout.key) return keySql
    if (value === checkout.orderId) return orderIdSql
    if (Buffer.isBuffer(value) && value.equals(checkout.tokenHash)) return tokenHashSql(':buyer')
    if (Array.isArray(value) && value.some(Buffer.isBuffer)) return `ARRAY[${value.map(expressionFor).join(', ')}]`
    const name = `v${Object.keys(variables).length}`
    variables[name] = asText(value)
    return asText(value).includes(checkout.orderId) ? `replace(:${name}, :order_seen, ${orderIdSql})` : `:${name}`
  }

  const lines = checkout.statements
    .filter(({ text }) => !setting.test(text))
    .map(({ text, values }) => {
      const expressions = values.map(expressionFor)
      return `${text.replace(/\$(\d+)/g, (_, place) => `(${expressions[place - 1]})`).trim()};\n`
    })
  const settings = checkout.statements.flatMap(({ text }) => [...text.matchAll(new RegExp(setting, 'g'))])
  return {
    text: head(clients) + lines.join(''),
    variables,
    connectionOptions: settings.map(([, name, value]) => `-c ${name}=${value}`).join(' '),
  }
}

/** As PostgreSQL reads a parameter. */
function asText(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.map((entry) => JSON.stringify(entry)).join(',')}}`
  return String(value)
}
