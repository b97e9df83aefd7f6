import { Artwork } from './Artwork.tsx'

/** A product's artwork, small, beside its name. */
export function Thumbnail({ src, width = 88 }: { src: string; width?: number }) {
  return <Artwork src={src} style={{ width }} />
}
