import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts,proof,studio}/**/*.test.{ts,tsx}'],
    environment: 'node',
    setupFiles: 'server/test/record-rows.ts',
    globalSetup: 'server/test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    // Starting PostgreSQL takes a second, and many times that on a machine that is busy with other things.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A red that is seen once says what it found: `[ Array(1) ]` sends nobody anywhere.
    chaiConfig: { truncateThreshold: 1_000 },
    // Each file starts with its own database; what a test leaves behind in memory goes with its process.
    isolate: true,
  },
})
