import './node-version.mjs'
import { runChecks } from './checks.mjs'
import { program } from './run.mjs'

await program(async () => {
  const { passed, failed } = await runChecks()
  console.log(`${passed} checks passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
