import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { clients } from './options.ts'

/** What the shop is told on its command line. */
export interface VendureOrder {
  /** Where Vendure was fetched to. */
  folder: string
  /** `fill` makes its tables, a product and the customers; `worker` does what the shop leaves for later. */
  part: 'fill' | 'shop' | 'worker'
  databaseUrl: string
  port: number
  customers: number
}

const { folder, part, databaseUrl, port, customers }: VendureOrder = JSON.parse(process.argv[2] ?? '')
const load = createRequire(join(folder, 'shop.js'))
// What is not installed here has no types.
const vendure = load('@vendure/core')

/** Customers by the hundred are made with it; nobody logs in while anything is measured. */
const quickHashing = {
  hash: async (password: string) => createHash('sha256').update(password).digest('hex'),
  check: async () => false,
}

/** As `@vendure/create` sets a shop up, without its pages; one that sells codes asks for no address of a parcel. */
const config = {
  apiOptions: { port, hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: 'bearer', requireVerification: false, passwordHashingStrategy: quickHashing },
  dbConnectionOptions: {
    type: 'postgres',
    url: databaseUrl,
    schema: 'vendure',
    synchronize: part === 'fill',
    logging: false,
    extra: { max: clients },
  },
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  orderOptions: { process: [vendure.configureDefaultOrderProcess({ arrangingPaymentRequiresShipping: false })] },
  plugins: [
    vendure.DefaultSchedulerPlugin.init(),
    vendure.DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }),
    vendure.DefaultSearchPlugin.init({ bufferUpdates: false }),
  ],
  logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Error }),
}

const products =
  'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,' +
  'variantAssets,variantFacets\nGift code,gift-code,A code,,,,,GIFT,4.99,standard,1000000,true,,\n'

async function fill(): Promise<void> {
  const csv = join(folder, 'products.csv')
  await writeFile(csv, products)
  const handler = { code: vendure.dummyPaymentHandler.code, arguments: [{ name: 'automaticSettle', value: 'true' }] }
  const shop = {
    defaultLanguage: vendure.LanguageCode.en,
    defaultZone: 'Asia',
    countries: [{ name: 'Uzbekistan', code: 'UZ', zone: 'Asia' }],
    taxRates: [{ name: 'No tax', percentage: 0 }],
    shippingMethods: [{ name: 'None', price: 0 }],
    paymentMethods: [{ name: 'Balance', handler }],
    collections: [],
  }
  const app = await load('@vendure/core/cli').populate(() => vendure.bootstrap(config), shop, csv)
  const context = await app.get(vendure.RequestContextService).create({ apiType: 'admin' })
  for (let customer = 0; customer < customers; customer++) {
    const person = { emailAddress: `buyer${customer}@example.com`, firstName: 'Buyer', lastName: String(customer) }
    await app.get(vendure.CustomerService).create(context, person, 'password')
  }
  await app.close()
}

if (part === 'fill') {
  await fill()
  process.exit(0)
} else if (part === 'worker') {
  const worker = await vendure.bootstrapWorker(config)
  await worker.startJobQueue()
} else {
  await vendure.bootstrap(config)
}
