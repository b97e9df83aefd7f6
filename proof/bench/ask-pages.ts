import { randomUUID } from 'node:crypto'

// A process of its own, which asks for pages that nobody asked for before, over so many connections, until its parent
// ends it.
const [url = '', connections = '1'] = process.argv.slice(2)

async function ask(): Promise<never> {
  for (;;) {
    // A connection that the store hangs up on is opened again.
    const answer = await fetch(`${url}/products?search=${randomUUID()}`).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => {})
  }
}

for (let connection = 0; connection < Number(connections); connection++) void ask()
process.send?.('asking')
process.once('disconnect', () => process.exit(0))
