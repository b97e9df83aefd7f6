import { afterAll, beforeAll } from 'vitest'
import { aUser, type TestUser, type UserWish } from './factories.ts'
import { type ShopOptions, startShop, type TestShop } from './shop.ts'

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
