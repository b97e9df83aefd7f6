import { isIP } from 'node:net'

/**
 * What one customer of a provider has to himself: an address of version 4, or the 64 leading bits of one of version 6, which
 * every household may vary the rest of. Counting single addresses there would count nothing.
 */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  return isIP(address) === 6 ? `${leadingGroups(address, 4).join(':')}::/64` : address
}

/** The network an address is of, as large as one household, school or mobile operator's pool is likely to have: /24 or /64. */
export function networkOf(address: string): string {
  const client = clientOf(address)
  return isIP(client) === 4 ? `${client.split('.').slice(0, 3).join('.')}.0/24` : client
}

function leadingGroups(address: string, count: number): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, count).map((group) => Number.parseInt(group, 16).toString(16))
}
