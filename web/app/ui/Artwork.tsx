import { type CSSProperties, useState } from 'react'
import classes from './Artwork.module.css'

interface ArtworkProps {
  /** Empty when there is none. */
  src: string
  /** Loads the image at once, for what is above the fold. */
  isFirst?: boolean
  className?: string
  style?: CSSProperties
}

const fallbackImage = '/art/anything.svg'

/**
 * Shows the image of a product, 4:3, without alternative text as the name stands beside it. One that fails to load is
 * replaced by the shop's own.
 */
export function Artwork({ src, isFirst = false, className = '', style }: ArtworkProps) {
  const [broken, setBroken] = useState<string>()
  const look = (image: HTMLImageElement | null) => {
    // It may have failed before hydration.
    if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBroken(src))
  }
  return (
    <span className={`${classes.frame} ${className}`} style={style}>
      <img
        ref={look}
        src={src === '' || src === broken ? fallbackImage : src}
        alt=""
        width={800}
        height={600}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
        className={classes.picture}
        onError={() => setBroken(src)}
      />
    </span>
  )
}
