const width = 40

/** A bar on a terminal; elsewhere a line every tenth of the way. */
export function progressBar(noun: string, out: NodeJS.WriteStream = process.stderr) {
  let tenths = 0
  return {
    show(howFar: number, done: number): void {
      const share = Math.min(howFar, 1)
      if (!out.isTTY) {
        if (Math.floor(share * 10) <= tenths) return
        tenths = Math.floor(share * 10)
        out.write(`${tenths * 10} % (${done.toLocaleString('en')} ${noun})\n`)
        return
      }
      const filled = Math.round(share * width)
      out.write(`\r[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${done.toLocaleString('en')} ${noun}`)
    },
    end(): void {
      if (out.isTTY) out.write('\r\u001b[K')
    },
  }
}
