import { Box, type BoxProps } from '@mantine/core'
import { useState } from 'react'
import classes from './Artwork.module.css'

interface ArtworkProps extends BoxProps {
  /** Empty when there is none. */
  src: string
  /** Above the fold: asked for at once, before what is lower on the page. */
  isFirst?: boolean
}

const ofAnything = '/art/anything.svg'

/** The picture of a product, 4:3. The name beside it says what it shows. One that can't be loaded gives way to the shop's own. */
export function Artwork({ src, isFirst = false, className = '', ...box }: ArtworkProps) {
  const [broken, setBroken] = useState<string>()
  const look = (image: HTMLImageElement | null) => {
    // It may have failed before the page came alive.
    if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBroken(src))
  }
  return (
    <Box className={`${classes.frame} ${className}`} {...box}>
      <img
        ref={look}
        src={src === '' || src === broken ? ofAnything : src}
        alt=""
        width={800}
        height={600}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
        className={classes.picture}
        onError={() => setBroken(src)}
      />
    </Box>
  )
}
