import { Image } from '@mantine/core'
import { isImageAddress } from '../form/image-address.ts'

/** Shows a region's flag: an image where it is an address, else an emoji. */
export function RegionFlag({ flag }: { flag: string }) {
  if (isImageAddress(flag)) return <Image src={flag} alt="" w={24} h={18} radius={2} fit="cover" />
  return <span aria-hidden>{flag}</span>
}
