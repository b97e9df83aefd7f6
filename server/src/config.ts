import { BlockList, isIP } from 'node:net'
import { isTimeZone, rateSources } from '@olmos/contract/rates'
import { z } from 'zod'
import { SERVER_LIMITS } from './limits.ts'
import { channelAdapters, isInEnvironment } from './modules/messages/channels.ts'
import { providerAdapters } from './modules/payments/providers.ts'
import { supplierAdapters } from './modules/topups/suppliers.ts'
import { sessionWanted, splitHosts } from './platform/database/primary-client.ts'
import { readAddresses } from './platform/http/headers.ts'
import { StartupError } from './platform/process.ts'
import { type ChosenVendor, pickSettings, readVendors, vendorFields, vendorNames } from './platform/vendor/adapters.ts'
import type { BucketSettings } from './platform/vendor/vendor.ts'

const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a number from ${min} to ${max}`)

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' })
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address like ${example}` })

/** Links and webhooks are this and a path, so that no slash may end it. Whoever writes more than a host means something else. */
const publicUrl = url(/^https?$/, 'https://shop.example').transform((text, { addIssue }) => {
  const { origin, pathname, search, hash, username, password } = new URL(text)
  if (/^\/+$/.test(pathname) && search + hash + username + password === '') return origin
  addIssue(`must have nothing after the host and port, and no user: write ${origin}`)
  return z.NEVER
})

const oneDatabase = url(/^postgres(ql)?$/, 'postgresql://user:password@host/database')
/** Several hosts may be named with commas between, as libpq has it. */
const databaseUrl = z
  .string()
  .refine(
    (text) => splitHosts(text).every((one) => oneDatabase.safeParse(one).success),
    'must be an address like postgresql://user:password@host/database',
  )
  .refine(
    (text) => /^(?:read-write|primary|any)?$/.test(sessionWanted(text) ?? ''),
    'must lead to a database that takes writes: target_session_attrs=read-write',
  )

/** Telegram's own address, so that no stranger is written to while the shop is tried out. */
const messengerItself = 'https://telegram.org'

/** Longer than a proxy takes to notice: one probe every two seconds, two of which must fail. */
const productionGraceSeconds = 5

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

const secretKeyBytes = 32
const secretKey = z
  .string()
  .transform((text) => Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64'))
  .refine((key) => key.length === secretKeyBytes, `must be ${secretKeyBytes} random bytes in hex or base64`)

/** Accepts what RFC 9116 allows as a contact; an address of e-mail may be written without its mailto. */
const securityContact = z
  .string()
  .transform((text) => (/^[^\s:@]+@[^\s:@]+$/.test(text) ? `mailto:${text}` : text))
  .refine(
    (text) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(text),
    'must be an e-mail address, or an address that begins with https:// or tel:',
  )

/** Parses `key=value` pairs with commas between, percent-encoded as OpenTelemetry has them. */
function headersIn(text: string, { addIssue }: { addIssue: (message: string) => void }): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const pair of text.split(',')) {
    const [, name = '', value = '%'] = /^\s*([\w-]+)\s*=\s*([!-~]+)\s*$/.exec(pair) ?? []
    const decoded = decodePercent(value)
    if (decoded === undefined || !/^[ -~]+$/.test(decoded)) {
      addIssue('must be pairs like authorization=Bearer%20token,x-scope=shop')
      return z.NEVER
    }
    headers[name] = decoded
  }
  return headers
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const ratio = z
  .string()
  .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'must be a number from 0 to 1')
  .transform(Number)

const proxiesAtMost = 10

/** Parses `off`, `on` (one proxy), a number of proxies, or their addresses. */
function proxiesIn(text: string, { addIssue }: { addIssue: (message: string) => void }): false | number | string[] {
  if (text === 'off') return false
  if (text === 'on') return 1
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= proxiesAtMost) return Number(text)
  const addresses = text.split(',').map((address) => address.trim())
  if (!/^\d+$/.test(text) && readAddresses(addresses)) return addresses
  addIssue(`must be off, on, a number of proxies up to ${proxiesAtMost}, or their addresses like 10.0.0.0/8`)
  return z.NEVER
}

const ownAddresses = new BlockList()
ownAddresses.addSubnet('127.0.0.0', 8)
ownAddresses.addAddress('::1', 'ipv6')

/** Whether only this machine itself reaches what listens at this address or name. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const version = isIP(bare)
  if (version === 0) return /^(?:.+\.)?localhost$/i.test(bare)
  return ownAddresses.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Finds the setting that opens the shop to others than the owner of this machine; undefined for a shop that is tried
 * out at home.
 */
function findOpening({ NODE_ENV, PUBLIC_URL, HOST }: z.infer<typeof settings>): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV=production'
  if (!isLoopback(HOST)) return `HOST=${HOST}`
  if (PUBLIC_URL === undefined) return undefined
  const { protocol, hostname } = new URL(PUBLIC_URL)
  return protocol === 'http:' && isLoopback(hostname) ? undefined : `PUBLIC_URL=${PUBLIC_URL}`
}

const settings = z.object({
  PORT: number(1, 65_535).default(3000),
  HOST: z.string().min(1, 'must be an address to listen on').default('127.0.0.1'),
  PUBLIC_URL: publicUrl.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_CONNECTIONS: number(2, 200).default(16),
  API_DOCS: onOff.optional(),
  ALLOW_UNSAFE_DATABASE: z.enum(['0', '1'], { error: 'must be 0 or 1' }).default('0'),
  SHUTDOWN_GRACE_SECONDS: number(0, SERVER_LIMITS.shutdownGraceSecondsMax).optional(),
  DATA_DIR: z.string().min(1, 'must be a folder').default('./data'),
  SECRET_KEY: secretKey.optional(),
  OLD_SECRET_KEY: secretKey.optional(),
  BACKUP_DIR: z.string().min(1, 'must be a folder').optional(),
  BACKUP_KEY: secretKey.optional(),
  BACKUP_KEEP: number(1, 1_000).default(14),
  BACKUP_WAL: onOff.default('off'),
  BACKUP_DATABASE_URL: databaseUrl.optional(),
  BACKUP_S3_URL: url(/^https?$/, 'https://s3.example/bucket').optional(),
  BACKUP_S3_KEY_ID: z.string().min(1, 'must be the id of a key').optional(),
  BACKUP_S3_SECRET: z.string().min(1, 'must be the secret of that key').optional(),
  BACKUP_S3_REGION: z.string().min(1, 'must be a region').default('us-east-1'),
  PICTURES_S3_URL: url(/^https?$/, 'https://s3.example/bucket').optional(),
  PICTURES_S3_KEY_ID: z.string().min(1, 'must be the id of a key').optional(),
  PICTURES_S3_SECRET: z.string().min(1, 'must be the secret of that key').optional(),
  PICTURES_S3_REGION: z.string().min(1, 'must be a region').default('us-east-1'),
  SALES_LOG_DIR: z.string().min(1, 'must be a folder').optional(),
  ADMIN_NICKNAME: z
    .string()
    .trim()
    .min(3, 'must have 3 to 32 characters')
    .max(32, 'must have 3 to 32 characters')
    .default('admin'),
  ADMIN_PASSWORD: z.string().min(8, 'must have 8 characters or more').optional(),
  STRICT_ADMINS: onOff.optional(),
  DEMO: onOff.optional(),
  RATE_LIMITS: onOff.default('on'),
  RATES_SOURCE: z.enum(rateSources, { error: `must be one of ${rateSources.join(', ')}` }).optional(),
  CBR_BASE_URL: url(/^https?$/, 'https://www.cbr.ru').default('https://www.cbr.ru'),
  CBU_BASE_URL: url(/^https?$/, 'https://cbu.uz').default('https://cbu.uz'),
  TIMEZONE: z.string().refine(isTimeZone, 'must be a time zone like Asia/Tashkent').default('Asia/Tashkent'),
  ALLOW_SANDBOX: z.enum(['0', '1'], { error: 'must be 0 or 1' }).default('0'),
  PAYMENT_PROVIDERS: vendorNames(providerAdapters),
  ...vendorFields(providerAdapters),
  SUPPLIERS: vendorNames(supplierAdapters),
  ...vendorFields(supplierAdapters),
  ...vendorFields(channelAdapters),
  SUPPORT_URL: url(/^https?$/, 'https://t.me/your_shop').optional(),
  TRUST_PROXY: z.string().default('off').transform(proxiesIn),
  SECURITY_CONTACT: securityContact.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have 16 characters or more').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, 'http://127.0.0.1:4318').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().transform(headersIn).optional(),
  OTEL_SERVICE_NAME: z.string().default('olmos'),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(1),
  OTEL_METRICS_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).default('otlp'),
  REQUEST_LOG: onOff.default('on'),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  NODE_ENV: z.string().optional(),
})

export type Config = ReturnType<typeof readConfig>

/** Reads the settings. Throws a StartupError that names the setting when one is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = settings.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new StartupError(`The setting ${issue?.path[0]?.toString()} is wrong: it ${issue?.message}.`)
  }
  const read = result.data
  const isProduction = read.NODE_ENV === 'production'
  if (isProduction && read.RATE_LIMITS === 'off') {
    throw new StartupError('The setting RATE_LIMITS is wrong: it must be on in production.')
  }
  if (isProduction && read.STRICT_ADMINS === 'off') {
    throw new StartupError('The setting STRICT_ADMINS is wrong: it must be on in production.')
  }
  if (read.DATABASE_URL && !read.SECRET_KEY) {
    throw new StartupError(
      'The setting SECRET_KEY is missing: with DATABASE_URL it must be given (32 random bytes in hex).',
    )
  }
  requireBackupKey(read)
  const opening = findOpening(read)
  const rest = { given, opening: read.ALLOW_SANDBOX === '1' ? undefined : opening }
  const payments = readVendors(providerAdapters, {
    setting: 'PAYMENT_PROVIDERS',
    names: read.PAYMENT_PROVIDERS,
    ...rest,
  })
  const suppliers = readVendors(supplierAdapters, { setting: 'SUPPLIERS', names: read.SUPPLIERS, ...rest })
  const messageSettings = pickSettings(channelAdapters, given)
  const channels = channelAdapters.filter((adapter) => isInEnvironment(adapter, messageSettings))
  readVendors(channels, { setting: 'the environment', names: channels.map(({ name }) => name), ...rest })
  return {
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    /** Undefined: the store starts its own PostgreSQL in `dataDir`. */
    databaseUrl: read.DATABASE_URL,
    /** The database itself where `databaseUrl` is a pooler's. */
    databaseDirectUrl: read.DATABASE_DIRECT_URL,
    databaseConnections: read.DATABASE_CONNECTIONS,
    /** Accept a database that may lose an acknowledged order in a power cut. */
    allowUnsafeDatabase: read.ALLOW_UNSAFE_DATABASE === '1',
    /** How long after SIGTERM the store still serves while it reports that it is not ready. */
    shutdownGraceSeconds: read.SHUTDOWN_GRACE_SECONDS ?? (isProduction ? productionGraceSeconds : 0),
    dataDir: read.DATA_DIR,
    /** Undefined: made once in `dataDir`. */
    secretKey: read.SECRET_KEY,
    /** The previous one, for `change-secret-key` alone. */
    oldSecretKey: read.OLD_SECRET_KEY,
    /** Where backups go every night; undefined: nowhere. */
    backupDir: read.BACKUP_DIR,
    /** Seals backups and the log of sales. */
    backupKey: read.BACKUP_KEY,
    /** How many backups are kept. */
    backupKeep: read.BACKUP_KEEP,
    /** Keep the WAL since the oldest backup too, so that any moment since can be restored. */
    backupWal: read.BACKUP_WAL === 'on',
    /** For a role that may replicate, where the one of `databaseUrl` may not. */
    backupDatabaseUrl: read.BACKUP_DATABASE_URL,
    /** Where backups and the WAL are copied to; undefined: nowhere. */
    backupBucket: readBucket(read, 'BACKUP_S3'),
    /** Where uploaded pictures are kept; undefined: in the database. */
    pictureBucket: readBucket(read, 'PICTURES_S3'),
    /** Where this node writes down what left the shop; undefined: nowhere. */
    salesLogDir: read.SALES_LOG_DIR,
    adminNickname: read.ADMIN_NICKNAME,
    adminPassword: read.ADMIN_PASSWORD,
    /**
     * Whether an admin needs a second factor before anything else, and the first admin's password works for one login
     * only.
     */
    strictAdmins: read.STRICT_ADMINS ? read.STRICT_ADMINS === 'on' : isProduction,
    /** Fill an empty catalogue with a demonstration. */
    demo: read.DEMO ? read.DEMO === 'on' : read.DATABASE_URL === undefined,
    rateLimits: read.RATE_LIMITS === 'on',
    ratesSource: read.RATES_SOURCE ?? (read.DATABASE_URL ? 'cbr' : 'fixed'),
    cbrBaseUrl: read.CBR_BASE_URL,
    cbuBaseUrl: read.CBU_BASE_URL,
    /** For the daily update of the rates, and for reports. */
    timeZone: read.TIMEZONE,
    /** The payment providers, the preferred one first. */
    payments,
    /** What the environment says of providers, chosen or not: it wins over what is typed in the admin area. */
    paymentSettings: pickSettings(providerAdapters, given),
    /** What the environment says of what carries messages to operators, complete where it says anything. */
    messageSettings,
    /** The suppliers, in the order in which they are asked. */
    suppliers,
    /** What the environment says of suppliers, chosen or not: it wins over what is typed in the admin area. */
    supplierSettings: pickSettings(supplierAdapters, given),
    /** What is only played where strangers come in, which every page has to say; none where all is real, or at home. */
    openSandbox: opening === undefined ? undefined : findSandbox(payments, suppliers),
    /** The operator's messenger, which the support page links to; undefined in production until it is set. */
    supportUrl: read.SUPPORT_URL ?? (isProduction ? undefined : messengerItself),
    /** Which proxies to believe about a caller's address: none, the nearest so many, or these addresses. */
    trustProxy: read.TRUST_PROXY,
    /** Whether the calls are described publicly, at /api/docs. */
    apiDocs: read.API_DOCS ? read.API_DOCS === 'on' : !isProduction,
    /** Where weaknesses are reported, as the address that security.txt names; undefined: there is no such file. */
    securityContact: read.SECURITY_CONTACT,
    /** Undefined: only this machine itself may read GET /metrics. */
    metricsToken: read.METRICS_TOKEN,
    /** Where traces and metrics are sent to; undefined: nowhere. */
    telemetry:
      read.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ''),
            headers: read.OTEL_EXPORTER_OTLP_HEADERS ?? {},
            serviceName: read.OTEL_SERVICE_NAME,
            ratio: read.OTEL_TRACES_SAMPLER_ARG,
            metrics: read.OTEL_METRICS_EXPORTER === 'otlp',
            port: read.PORT,
          },
    logLevel: read.LOG_LEVEL,
    /** Whether each request gets a line in the log. */
    requestLog: read.REQUEST_LOG === 'on',
    isProduction,
  }
}

function readBucket(read: z.infer<typeof settings>, setting: 'BACKUP_S3' | 'PICTURES_S3'): BucketSettings | undefined {
  const url = read[`${setting}_URL`]
  if (url === undefined) return undefined
  const { protocol, hostname, pathname, username, password } = new URL(url)
  const wrong = (why: string) => new StartupError(`The setting ${setting}_URL is wrong: ${why}.`)
  if (username || password) throw wrong(`its key is given in ${setting}_KEY_ID and ${setting}_SECRET`)
  if (pathname === '/') throw wrong('it must name a bucket, as in https://s3.example/bucket')
  if (protocol === 'http:' && !isLoopback(hostname)) throw wrong('it must begin with https')
  const given = (part: 'KEY_ID' | 'SECRET'): string => {
    const value = read[`${setting}_${part}`]
    if (value !== undefined) return value
    throw new StartupError(`The setting ${setting}_${part} is missing: with ${setting}_URL it must be given.`)
  }
  return { url, keyId: given('KEY_ID'), secret: given('SECRET'), region: read[`${setting}_REGION`] }
}

/** The backups and SECRET_KEY together are the codes, so what opens the one must not open the other. */
function requireBackupKey({
  BACKUP_DIR,
  BACKUP_KEY,
  BACKUP_WAL,
  SALES_LOG_DIR,
  SECRET_KEY,
}: z.infer<typeof settings>): void {
  if (BACKUP_WAL === 'on' && !BACKUP_DIR)
    throw new StartupError('The setting BACKUP_DIR is missing: with BACKUP_WAL=on it must be given (a folder).')
  if ((BACKUP_DIR || SALES_LOG_DIR) && !BACKUP_KEY) {
    throw new StartupError(
      `The setting BACKUP_KEY is missing: with ${BACKUP_DIR ? 'BACKUP_DIR' : 'SALES_LOG_DIR'} it must be given (32 random bytes in hex).`,
    )
  }
  if (BACKUP_KEY && SECRET_KEY?.equals(BACKUP_KEY))
    throw new StartupError('The setting BACKUP_KEY is wrong: it must differ from SECRET_KEY.')
}

/** What is only played; where no money is real, it does not matter who delivers. */
function findSandbox(
  payments: readonly ChosenVendor[],
  suppliers: readonly ChosenVendor[],
): 'payments' | 'deliveries' | undefined {
  if (payments.some(({ isSandbox }) => isSandbox)) return 'payments'
  return suppliers.some(({ isSandbox }) => isSandbox) ? 'deliveries' : undefined
}
