import { buildWeb } from '../../scripts/build.mjs'
import { type Closers, endOnSignal } from '../../server/src/platform/closing.ts'
import { judge } from '../torture/verdict.ts'
import { breaks } from './breaks.ts'
import { fuzz } from './fuzz.ts'
import { type Options, readOptions, usage } from './options.ts'
import { createWire } from './request.ts'
import { openStore } from './store.ts'
import { printFindings, toLines } from './table.ts'

async function run(options: Options, closers: Closers): Promise<boolean> {
  const planted = options.break === undefined ? '' : `, planted: ${breaks[options.break]?.sentence}`
  console.log(`Fuzz of the store (seed ${options.seed}${planted})`)
  if (options.pages) await buildWeb()
  const store = await openStore(options.break, closers)
  const wire = createWire(store.port)
  closers.push(() => wire.close())
  let tenths = 0
  const result = await fuzz(options, store.shop, wire, (share, sent) => {
    if (Math.floor(share * 10) <= tenths) return
    tenths = Math.floor(share * 10)
    console.error(`${tenths * 10} % (${sent.toLocaleString('en')} requests)`)
  })
  for (const finding of printFindings(result)) console.log(finding)
  const { table, isBroken } = judge(toLines(result, { falls: store.server.falls, errorLines: store.errorLines() }))
  console.log(`${table}\n${isBroken ? `BROKEN (seed ${options.seed})` : 'Everything promised was kept.'}`)
  return isBroken
}

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}

const options = optionsOrExit()
if (options.listsBreaks) {
  console.log(Object.keys(breaks).join('\n'))
} else {
  const closers: Closers = []
  const end = endOnSignal(closers)
  try {
    await end((await run(options, closers)) ? 1 : 0)
  } catch (error) {
    console.error(error)
    await end(1)
  }
}
