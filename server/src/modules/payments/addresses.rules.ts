import { BlockList, isIP } from 'node:net'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A list of addresses and ranges like 185.71.76.0/27 to look callers up in; none when an entry is neither. */
export function readAddresses(entries: readonly string[]): BlockList | undefined {
  const known = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    const most = family === 'ipv6' ? 128 : 32
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits ?? String(most)) || Number(bits ?? most) > most) return undefined
    known.addSubnet(address, Number(bits ?? most), family)
  }
  return known
}

export const isFrom = (known: BlockList, address: string): boolean =>
  isIP(address) !== 0 && known.check(address, familyOf(address))
