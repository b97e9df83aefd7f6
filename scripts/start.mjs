import './node-version.mjs'
import { buildWeb } from './build.mjs'
import { installDependencies } from './install.mjs'
import { program } from './run.mjs'
import { runServer } from './server.mjs'

await program(async () => {
  await installDependencies()
  await buildWeb()
  return runServer()
})
