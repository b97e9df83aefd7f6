import type { ShownRegion } from '@olmos/contract/fields'

export type NamedRegion = Pick<ShownRegion, 'name' | 'flag'>

/** Tells the address of an image from an emoji. */
export const isImageFlag = (flag: string): boolean => /^(https:\/)?\//.test(flag)

/** Writes a region into a text that is copied or shared, with its flag unless that is an image. */
export const regionText = ({ name, flag }: NamedRegion): string => (isImageFlag(flag) ? name : `${flag} ${name}`.trim())
