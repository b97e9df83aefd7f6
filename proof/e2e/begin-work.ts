import { expect, type Page } from '@playwright/test'
import { codeAt, toStep } from '../../server/src/modules/accounts/second-factor.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { connectEmbeddedPostgres } from '../../server/src/platform/embedded/embedded-postgres.ts'
import { call } from './calls.ts'
import { password } from './customer.ts'
import { anAdmin, toBytes } from './operator.ts'
import { ru } from './ru.ts'
import type { Store } from './start-store.ts'

/** Reaches into the database of a journey's own store. */
export async function connectTo(store: Store): Promise<Database> {
  const { url } = await connectEmbeddedPostgres(store.dataDir)
  return new Database({ url, connections: 1, onIdleError: () => {} })
}

/** An admin with a second factor, at work, with a recovery code for each time the store asks. */
export async function beginWork(page: Page, database: Database) {
  const session = await anAdmin(page)
  const post = (path: string, data: object) => call(page, session.token, 'POST', `/auth/second-factor${path}`, data)
  const secret = toBytes((await post('/enrol', { password })).body.data.secret)
  const codes: string[] = (await post('/confirm', { otp: codeAt(secret, toStep(new Date())) })).body.data.recovery_codes
  const question = page.getByRole('dialog', { name: ru('secondFactor.title') })
  const answerWith = async (code: string) => {
    await question.getByLabel(ru('admin.codes.code')).fill(code)
    await question.getByRole('button', { name: ru('admin.payments.confirm') }).click()
  }
  return {
    page,
    session,
    question,
    read: async (path: string) => (await call(page, session.token, 'GET', path)).body.data,
    write: (path: string, data: object) => call(page, session.token, 'POST', path, data),
    /** As if the last code had been given ten minutes ago. */
    letTimePass: () => database.run(sql`UPDATE session SET confirmed_until = now() WHERE user_id = ${session.userId}`),
    answerWith,
    giveCode: async () => {
      await answerWith(codes.pop() ?? '')
      await expect(question).toHaveCount(0)
    },
    cancel: async () => {
      await question
        .getByRole('button', { name: ru('admin.form.cancel') })
        .last()
        .click()
      await expect(question).toHaveCount(0)
    },
  }
}
