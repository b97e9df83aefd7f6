import type { ShownRegion } from '@olmos/contract/fields'

export type NamedRegion = Pick<ShownRegion, 'name' | 'flag'>

/** Else the flag is an emoji. */
export const isPicture = (flag: string): boolean => /^(https:\/)?\//.test(flag)

/** A region in a text that is copied or shared: with its flag, unless that is a picture. */
export const regionText = ({ name, flag }: NamedRegion): string => (isPicture(flag) ? name : `${flag} ${name}`.trim())
