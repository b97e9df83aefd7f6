import { expect, test } from 'vitest'
import { toClient, toNetwork } from './rate-limit.ts'

test.each([
  ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::5', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/64'],
  ['no address', 'no address', 'no address'],
])('%s counts as %s, in the network %s', (address, client, network) => {
  expect([toClient(address), toNetwork(address)]).toEqual([client, network])
})
