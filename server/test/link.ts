import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection to the database that can be cut like a cable, and restored. */
export interface Link {
  url: string
  cut(): Promise<void>
  mend(): Promise<void>
  /** Simulates a host that vanished: connections stay open, new ones are accepted, and nothing comes through. */
  freeze(): void
  thaw(): void
}

export async function openLink(databaseUrl: string): Promise<Link> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    const pair = [near, far] as const
    pairs.add(pair)
    near.once('close', () => pairs.delete(pair))
    if (!isFrozen) near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async cut() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    freeze() {
      isFrozen = true
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    thaw() {
      isFrozen = false
      for (const [near, far] of pairs) near.pipe(far).pipe(near)
    },
    async mend() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}
