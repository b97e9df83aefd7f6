import { parseDecimal } from '@olmos/contract/decimal'
import { isStorable } from '@olmos/contract/storable'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { VendorDouble } from '../../../test/doubles/vendor-double.ts'
import { changes, spoil } from '../../../test/rubbish.ts'
import { type SupplierBench, supplierBenches } from '../../../test/supplier-benches.ts'
import type { Outcome } from '../../platform/vendor/vendor.ts'
import type { VendorPage, VendorProduct, VendorService } from './supplier.ts'

/** Money for Steam is no product of a catalogue. */
const { 'fazercards steam': _, ...benches } = supplierBenches
const { sandbox: __, ...vendors } = benches

const aService = expect.toSatisfy(({ reference, title, kind, fields }: VendorService) =>
  [
    reference.length > 0 && title.trim().length > 0,
    kind === 'topup' ? fields.length > 0 : fields.length === 0,
    fields.every(({ key, label, type }) => key.length > 0 && label.length > 0 && !/passw/i.test(key + type)),
    fields.every(({ type, options }) => (type === 'select') === (options !== undefined && options.length > 0)),
  ].every(Boolean),
)
const aProduct = expect.toSatisfy(({ reference, name, cost, currency, stock = 0 }: VendorProduct) =>
  [
    reference.length > 0 && name.length > 0,
    parseDecimal(cost) !== undefined && /^\d{1,12}(\.\d{1,8})?$/.test(cost),
    /^[A-Z]{3}$/.test(currency) && Number.isSafeInteger(stock) && stock >= 0,
  ].every(Boolean),
)

/** Reads every page of a list. */
async function readPages<Item>(
  read: (cursor?: string) => Promise<Outcome<VendorPage<Item>>> | undefined,
): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let cursor: string | undefined, page = 0; page < 50; page++) {
    const answer = await read(cursor)
    if (answer?.kind !== 'done') throw new Error(`no page: ${JSON.stringify(answer)}`)
    pages.push([...answer.value.items])
    cursor = answer.value.next
    if (cursor === undefined) return pages
  }
  throw new Error('the list has no end')
}

const readServices = ({ supplier }: SupplierBench) => readPages((cursor) => supplier.listServices?.(cursor))
const readProducts = async ({ supplier }: SupplierBench, service: string) =>
  (await readPages((cursor) => supplier.listProducts?.(service, cursor))).flat()

describe.each(Object.entries(benches))('the catalogue of %s', (_name, open) => {
  let bench: SupplierBench
  beforeEach(async () => {
    bench = await open()
  })
  afterEach(() => bench.close())

  const findOwn = async () => {
    const { service, reference } = bench.shelf
    return (await readProducts(bench, service)).find((product) => product.reference === reference)
  }

  test('has every service once, on several pages where there are many, with fields that can be shown', async () => {
    const pages = await readServices(bench)
    const services = pages.flat()
    expect(new Set(services.map(({ reference }) => reference)).size).toBe(services.length)
    expect(services.map(({ reference }) => reference)).toContain(bench.shelf.service)
    if (services.length > 10) expect(pages.length).toBeGreaterThan(1)
    for (const service of services) expect(service).toEqual(aService)
  })

  test('has every product once, named as an order names it, with a cost above zero', async () => {
    const { service, reference } = bench.shelf
    const products = await readProducts(bench, service)
    expect(new Set(products.map(({ reference }) => reference)).size).toBe(products.length)
    for (const product of products) expect(product).toEqual(aProduct)
    expect(products.map((product) => product.reference)).toContain(reference)
    expect(await bench.supplier.order({ ...bench.request(), item: reference })).toMatchObject({ kind: 'done' })
  })

  test('no longer has what is gone, and an order of it is rejected', async () => {
    const { reference } = bench.shelf
    expect(await findOwn()).toBeDefined()
    bench.remove()
    expect(await findOwn()).toBeUndefined()
    const request = { ...bench.request(), item: reference }
    expect((await bench.supplier.order(request)).kind).toBe('rejected')
    expect(await bench.executions(request.key)).toBe(0)
  })

  test('knows no service that is not there', async () => {
    const answer = await bench.supplier.listProducts?.('recharge/404404')
    if (answer?.kind === 'done') expect([bench.supplier.name, answer.value.items]).toEqual(['kinguin', []])
    else expect(answer?.kind).toBe('rejected')
  })
})

const impatientMs = 500

describe.each(Object.entries(vendors))('the catalogue of %s, when something is wrong with it,', (_name, open) => {
  let bench: SupplierBench & { vendor: VendorDouble }
  beforeEach(async () => {
    const opened = await open()
    if (!opened.vendor) throw new Error('no vendor')
    bench = { ...opened, vendor: opened.vendor }
  })
  afterEach(() => bench.close())

  test('leaves out what has a price that is none, keeps the rest, and does not sell it', async () => {
    const { service, reference } = bench.shelf
    const others = (await readProducts(bench, service)).filter((product) => product.reference !== reference)
    expect(others.length).toBeGreaterThan(0)
    for (const price of [0, '0.00', 0.123456789, '0.123456789', -1, 'soon', null]) {
      // Kinguin's prices are numbers, or its whole answer is none.
      if (bench.supplier.name === 'kinguin' && typeof price !== 'number') continue
      bench.reprice?.(price)
      const rest = await readProducts(bench, service)
      expect([price, rest.map(({ reference }) => reference)]).toEqual([price, others.map(({ reference }) => reference)])
      const request = { ...bench.request(), item: reference }
      expect([price, (await bench.supplier.order(request)).kind]).toEqual([price, 'unknown'])
      expect(await bench.executions(request.key)).toBe(0)
    }
  })

  test.each([
    ['slow', 'timeout'],
    ['too-many', 'http_429'],
    ['pause', 'http_429'],
    ['broken-before', 'http_500'],
    ['html', 'bad_answer'],
    ['endless', 'answer_too_long'],
    ['hang-up', 'network'],
    ['elsewhere', 'network'],
  ] as const)('is unknown while its pages are %s, and is read once they are not', async (fault, why) => {
    const { vendor, shelf } = bench
    vendor.readFault = fault
    const { listServices, listProducts } = fault === 'slow' ? bench.like({ timeoutMs: impatientMs }) : bench.supplier
    const expected = { kind: 'unknown', why, ...(fault === 'pause' && { retryAfterSeconds: 7 }) }
    expect(await listServices?.()).toMatchObject(expected)
    expect(await listProducts?.(shelf.service)).toMatchObject(expected)
    vendor.readFault = undefined
    expect((await readServices(bench)).flat().length).toBeGreaterThan(0)
  })

  test('can be resumed at the page at which the vendor had enough', async () => {
    const { vendor } = bench
    const whole = (await readServices(bench)).flat()
    vendor.readsLeft = Math.floor(vendor.requests.filter(({ method }) => method === 'GET').length / 2)
    const services: VendorService[] = []
    let refusals = 0
    for (let cursor: string | undefined, isOver = false, turn = 0; !isOver && turn < 50; turn++) {
      const answer = await bench.supplier.listServices?.(cursor)
      if (answer?.kind === 'unknown') {
        expect(answer).toMatchObject({ why: 'http_429', retryAfterSeconds: 7 })
        refusals++
        vendor.readsLeft = undefined
        continue
      }
      if (answer?.kind !== 'done') throw new Error(JSON.stringify(answer))
      services.push(...answer.value.items)
      cursor = answer.value.next
      isOver = cursor === undefined
    }
    expect([services, refusals]).toEqual([whole, 1])
  })

  test('never throws whatever its answers say, and tells nothing that can not be stored', async () => {
    const { vendor, shelf } = bench
    const judge = <Item>(answer: Outcome<VendorPage<Item>> | undefined, item: object): void => {
      expect(isStorable(JSON.stringify(answer))).toBe(true)
      if (answer?.kind === 'done') for (const one of answer.value.items) expect(one).toEqual(item)
    }
    await fc.assert(
      fc.asyncProperty(changes, async (spoiling) => {
        vendor.distort = (body) => spoil(body, spoiling)
        const supplier = bench.like({})
        judge(await supplier.listProducts?.(shelf.service), aProduct)
        judge(await supplier.listServices?.(shelf.lastPage), aService)
      }),
      { numRuns: Number(process.env.HOSTILE_RUNS ?? 40) },
    )
  })
})
