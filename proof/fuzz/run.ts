import { buildWeb } from '../../scripts/build.mjs'
import { runCommand } from '../command.ts'
import { progressBar } from '../progress-bar.ts'
import { openWire } from '../wire.ts'
import { breaks } from './breaks.ts'
import { fuzz } from './fuzz.ts'
import { type Options, readOptions, usage } from './options.ts'
import { openStore } from './store.ts'
import { printFindings, toLines } from './table.ts'

await runCommand<Options>({
  usage,
  breaks,
  readOptions,
  title: () => 'Fuzz of the store',
  async run(options, closers) {
    if (options.pages) await buildWeb()
    const { shop, server, errorLines } = await openStore(options.break, closers)
    const wire = openWire(() => server.port)
    closers.push(() => wire.close())
    const bar = progressBar('requests')
    const result = await fuzz(options, shop, wire, bar.show)
    bar.end()
    for (const finding of printFindings(result)) console.log(finding)
    return toLines(result, { falls: server.falls, errorLines: errorLines() })
  },
})
