import type { Endpoint } from '@olmos/contract/endpoint'

const modules = import.meta.glob<Record<string, unknown>>(['../../contract/src/*.ts', '!**/*.test.ts'], { eager: true })

/** Every row of every endpoint table of the contract. */
export const endpoints: readonly Endpoint[] = Object.values(modules).flatMap((module) =>
  Object.entries(module)
    .filter(([name]) => name.endsWith('Api'))
    .flatMap(([, table]) => Object.values(table as Record<string, Endpoint>)),
)

/** Formats the name of an endpoint: 'GET /orders/:id'. */
export const toName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`
