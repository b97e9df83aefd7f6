const width = 40

/** A bar on a terminal; elsewhere a line every tenth of the way. */
export function progressBar(out: NodeJS.WriteStream = process.stderr) {
  let tenths = 0
  return {
    show(howFar: number, carts: number): void {
      const share = Math.min(howFar, 1)
      if (!out.isTTY) {
        if (Math.floor(share * 10) <= tenths) return
        tenths = Math.floor(share * 10)
        out.write(`${tenths * 10} % (${carts.toLocaleString('en')} carts)\n`)
        return
      }
      const done = Math.round(share * width)
      out.write(`\r[${'#'.repeat(done)}${'-'.repeat(width - done)}] ${carts.toLocaleString('en')} carts`)
    },
    end(): void {
      if (out.isTTY) out.write('\r\u001b[K')
    },
  }
}
