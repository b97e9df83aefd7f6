import { expect } from 'vitest'

// What never asks the database need not wait for its client.
if (!/\/(web|contract)\//.test(expect.getState().testPath ?? '')) await import('./record-rows.ts')
