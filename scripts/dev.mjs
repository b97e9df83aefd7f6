import './node-version.mjs'
import { spawn } from 'node:child_process'
import { installDependencies } from './install.mjs'
import { nodeBinary, program, root } from './run.mjs'
import { runServer } from './server.mjs'

const port = process.env.PORT ?? '3000'

// The server restarts when a source of it changes; the pages come from Vite, at its own address, which asks the server for everything else.
await program(async () => {
  await installDependencies()
  const pages = spawn(nodeBinary(), [`${root}node_modules/@react-router/dev/bin.cjs`, 'dev', '--port', '5173'], {
    cwd: `${root}web`,
    env: { ...process.env, OLMOS_SERVER: `http://localhost:${port}` },
    stdio: 'inherit',
  })
  const pagesEnded = new Promise((resolve) => pages.once('exit', resolve))
  // One ends, all end.
  pages.once('exit', () => process.emit('SIGTERM'))
  const code = await runServer({ nodeOptions: ['--watch', '--watch-preserve-output'] })
  pages.kill()
  await pagesEnded
  return code
})
