/** Where the store serves a picture that was uploaded: its name is made from its bytes, so what is there never changes. */
export const isPictureAddress = (address: string): boolean => /^\/pictures\/[0-9a-f]{32}\.(?:webp|png)$/.test(address)

/** The address of the smaller one of an uploaded picture, for lists; any other address stays. */
export const toSmallPicture = (address: string): string =>
  isPictureAddress(address) ? address.replace('.', '-small.') : address

/** A file that is uploaded, at most; here and not in limits.ts, which every page loads. */
export const pictureBytesMax = 4 * 1024 * 1024
