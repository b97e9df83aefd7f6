import { Image } from '@mantine/core'

/** A region's flag: an emoji, or a picture where it is an address. */
export function RegionFlag({ flag }: { flag: string }) {
  if (/^(https:\/|\/art\/)/.test(flag)) return <Image src={flag} alt="" w={24} h={18} radius={2} fit="cover" />
  return <span aria-hidden>{flag}</span>
}
