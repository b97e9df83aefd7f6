import { Image } from '@mantine/core'

interface ThumbnailProps {
  /** Empty when the product has no artwork: the ground of the picture stays. */
  src: string
  width?: number
}

/** A product's artwork, small, beside its name. The name says what it shows. */
export function Thumbnail({ src, width = 88 }: ThumbnailProps) {
  return (
    <Image
      src={src || null}
      alt=""
      w={width}
      h={(width * 3) / 4}
      radius="sm"
      fit="cover"
      loading="lazy"
      bg="var(--olmos-surface-raised)"
      style={{ flexShrink: 0 }}
    />
  )
}
