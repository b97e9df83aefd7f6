import { darker, readableOn } from '../../ui/colour.ts'

/** A promotion's badge: its colour runs into a darker shade of it, under text that can be read on both. */
export const badgeStyle = (background: string) => ({
  padding: '4px 12px',
  fontWeight: 600,
  fontSize: 14,
  color: readableOn(background),
  background: `linear-gradient(100deg, ${background}, ${darker(background)})`,
})
