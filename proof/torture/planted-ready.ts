import { Database as RealDatabase } from '../../server/src/platform/database/database.ts'

export * from '../../server/src/platform/database/database.ts'

/** Asks for a row, and writes none. */
export class Database extends RealDatabase {
  override async prove(): Promise<'ok'> {
    await this.pool.query('SELECT FROM schema_migration LIMIT 1')
    return 'ok'
  }
}
