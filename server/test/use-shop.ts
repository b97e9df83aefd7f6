import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { cloneDatabase } from './database.ts'
import { aUser, type TestUser, type UserWish } from './factories.ts'
import { type Ground, openShop, type ShopOptions, startShop, type TestShop } from './shop.ts'

/** The shop of a file's tests, or of one group: opened before the first of them and closed after the last. */
export function useShop(settings?: Record<string, string>, options?: ShopOptions): TestShop {
  const shop = {} as TestShop
  beforeAll(async () => {
    Object.assign(shop, await startShop(settings, options))
  })
  afterAll(() => shop.close())
  return shop
}

/** Somebody who is there for all tests of the file. */
export function useUser(shop: TestShop, wish?: UserWish): TestUser {
  const user = {} as TestUser
  beforeAll(async () => {
    Object.assign(user, await aUser(shop, wish))
  })
  return user
}

/** Two nodes of one shop, on a database of their own: what is changed at the one is asked of the other. */
export function useTwoNodes(settings: Record<string, string>) {
  const [here, there] = [{} as TestShop, {} as TestShop]
  const ground: Ground = { url: '', secretKey: randomBytes(32) }
  let drop = async () => {}
  beforeAll(async () => {
    const own = await cloneDatabase()
    drop = own.drop
    ground.url = own.url
    Object.assign(here, await openShop(settings, ground))
    Object.assign(there, await openShop(settings, ground))
  })
  afterAll(async () => {
    await here.close()
    await there.close()
    await drop()
  })
  return { here, there, ground }
}
