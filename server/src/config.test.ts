import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { StartupError } from './platform/process.ts'

const SECRET_KEY = 'ab'.repeat(32)
const DATABASE_URL = 'postgresql://olmos:secret-word@db.example/olmos'

test('nothing set means a store on this machine with a database of its own and a demonstration', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    dataDir: './data',
    secretKey: undefined,
    adminNickname: 'admin',
    adminPassword: undefined,
    strictAdmins: false,
    demo: true,
    rateLimits: true,
    trustProxy: false,
    isProduction: false,
  })
})

test('an empty setting is one that is not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO: '', SECRET_KEY: '' })).toEqual(readConfig({}))
})

test('the address follows the port unless it is given', () => {
  expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  const real = { PAYMENT_PROVIDERS: 'none', SUPPLIERS: 'none' }
  expect(readConfig({ ...real, PORT: '8080', PUBLIC_URL: 'https://shop.example' }).publicUrl).toBe(
    'https://shop.example',
  )
})

test.each([
  ['https://shop.example/', 'https://shop.example'],
  ['https://shop.example//', 'https://shop.example'],
  ['https://Shop.example:8443/', 'https://shop.example:8443'],
  ['http://[::1]:3000/', 'http://[::1]:3000'],
])('of PUBLIC_URL=%s no slash is left for the paths that follow it', (text, address) => {
  expect(readConfig({ PUBLIC_URL: text, PAYMENT_PROVIDERS: 'none', SUPPLIERS: 'none' }).publicUrl).toBe(address)
})

test.each(['/store', '/store/', '/?from=mail', '#top'])('PUBLIC_URL with %s says what to write', (more) => {
  expect(() => readConfig({ PUBLIC_URL: `https://shop.example${more}` })).toThrow(
    'The setting PUBLIC_URL is wrong: it must have nothing after the host and port, and no user: write https://shop.example.',
  )
})

test('a user in PUBLIC_URL would be in every link', () => {
  expect(() => readConfig({ PUBLIC_URL: 'https://olmos:word@shop.example' })).toThrow(
    /no user: write https:\/\/shop\.example\.$/,
  )
})

test.each([
  ['hex', SECRET_KEY],
  ['capital hex', SECRET_KEY.toUpperCase()],
  ['base64', Buffer.alloc(32, 0xab).toString('base64')],
])('the secret key may be written in %s', (_name, text) => {
  expect(readConfig({ SECRET_KEY: text }).secretKey).toEqual(Buffer.alloc(32, 0xab))
})

test("with the operator's own database the shelves start empty unless asked otherwise", () => {
  expect(readConfig({ DATABASE_URL, SECRET_KEY }).demo).toBe(false)
  expect(readConfig({ DATABASE_URL, SECRET_KEY, DEMO: 'on' }).demo).toBe(true)
  expect(readConfig({ DEMO: 'off' }).demo).toBe(false)
})

test('the database may be at several hosts, of which one takes writes', () => {
  const several = 'postgresql://olmos:secret-word@h1:5432,[::1]:5433,h3/olmos?target_session_attrs=read-write'
  const read = readConfig({ DATABASE_URL: several, DATABASE_DIRECT_URL: several, SECRET_KEY })
  expect([read.databaseUrl, read.databaseDirectUrl]).toEqual([several, several])
})

test.each([
  [{ PORT: '0' }, 'PORT'],
  [{ PORT: '65536' }, 'PORT'],
  [{ PORT: '80a' }, 'PORT'],
  [{ PORT: '-1' }, 'PORT'],
  [{ PORT: '3e3' }, 'PORT'],
  [{ PUBLIC_URL: 'shop.example' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'ftp://shop.example' }, 'PUBLIC_URL'],
  [{ DATABASE_URL: 'mysql://db.example/olmos', SECRET_KEY }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'db.example', SECRET_KEY }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgresql://olmos@h1:first,h2/olmos', SECRET_KEY }, 'DATABASE_URL'],
  [{ DATABASE_URL: `${DATABASE_URL}?target_session_attrs=standby`, SECRET_KEY }, 'DATABASE_URL'],
  [{ DATABASE_URL }, 'SECRET_KEY'],
  [{ DATABASE_CONNECTIONS: '1' }, 'DATABASE_CONNECTIONS'],
  [{ DATABASE_CONNECTIONS: '201' }, 'DATABASE_CONNECTIONS'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY'],
  [{ SECRET_KEY: 'ab'.repeat(31) }, 'SECRET_KEY'],
  [{ SECRET_KEY: 'ab'.repeat(33) }, 'SECRET_KEY'],
  [{ ADMIN_NICKNAME: 'ad' }, 'ADMIN_NICKNAME'],
  [{ ADMIN_NICKNAME: 'a'.repeat(33) }, 'ADMIN_NICKNAME'],
  [{ ADMIN_PASSWORD: 'short-1' }, 'ADMIN_PASSWORD'],
  [{ DEMO: 'yes' }, 'DEMO'],
  [{ TIMEZONE: 'Mars/Base' }, 'TIMEZONE'],
  [{ TIMEZONE: '+05:00' }, 'TIMEZONE'],
  [{ RATE_LIMITS: 'false' }, 'RATE_LIMITS'],
  [{ RATE_LIMITS: 'off', NODE_ENV: 'production' }, 'RATE_LIMITS'],
  [{ STRICT_ADMINS: 'yes' }, 'STRICT_ADMINS'],
  [{ STRICT_ADMINS: 'off', NODE_ENV: 'production' }, 'STRICT_ADMINS'],
  [{ TRUST_PROXY: '0' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '11' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY'],
  [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'authorization' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=a b' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'x-scope=a%0Ab' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'x-scope=100%' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG'],
  [{ OTEL_TRACES_SAMPLER_ARG: '10%' }, 'OTEL_TRACES_SAMPLER_ARG'],
  [{ OTEL_METRICS_EXPORTER: 'prometheus' }, 'OTEL_METRICS_EXPORTER'],
])('%j is refused in one sentence that names %s', (environment, name) => {
  const read = () => readConfig(environment)
  expect(read).toThrow(StartupError)
  expect(read).toThrow(new RegExp(`^The setting ${name} is (wrong: it|missing: with DATABASE_URL it) must .+\\.$`))
})

test.each([
  ['off', false],
  ['on', 1],
  ['2', 2],
  ['10.0.0.7', ['10.0.0.7']],
  ['127.0.0.1, 10.0.0.0/8,fd00::/8', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
])('TRUST_PROXY=%s', (text, trusted) => {
  expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(trusted)
})

test('traces go nowhere until there is a collector, then under the settings of the trade', () => {
  expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).telemetry).toBeUndefined()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }
  expect(readConfig(endpoint).telemetry).toEqual({
    endpoint: 'http://127.0.0.1:4318',
    headers: {},
    serviceName: 'olmos',
    ratio: 1,
    metrics: true,
    port: 3000,
  })
  const more = {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token==, x-scope=shop',
    OTEL_SERVICE_NAME: 'my-shop',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_METRICS_EXPORTER: 'none',
  }
  expect(readConfig({ ...endpoint, ...more }).telemetry).toMatchObject({
    headers: { authorization: 'Bearer token==', 'x-scope': 'shop' },
    serviceName: 'my-shop',
    ratio: 0.25,
    metrics: false,
  })
})

test('what is wrong is not told together with a secret', () => {
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'my secret-word' }
  for (const secret of [{ SECRET_KEY: 'my-secret-key' }, { ADMIN_PASSWORD: 'tiny' }, { DATABASE_URL }, headers]) {
    expect(() => readConfig(secret)).not.toThrow(/my-secret-key|tiny|secret-word/)
  }
})
