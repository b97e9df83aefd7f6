import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { toData } from './fields.ts'
import { isPictureAddress, pictureBytesMax } from './picture-address.ts'

/** Why an uploaded file becomes no picture, as the error of `content`. The admin area says of each what to do about it. */
export const pictureFaults = [
  'picture_empty',
  'picture_too_large',
  /** It is none of png, jpeg, webp and svg, whatever it is called. */
  'picture_unknown',
  /** It can't be read to its end. */
  'picture_broken',
  'picture_too_many_pixels',
  'picture_too_slow',
  /** An svg that would run something, or load it from elsewhere. */
  'picture_unsafe',
] as const
export type PictureFault = (typeof pictureFaults)[number]

/** What a picture is for, which decides its size and its form. An icon is square. */
export const pictureUses = ['product', 'logo', 'icon'] as const
export type PictureUse = (typeof pictureUses)[number]

export const pictureAddress = z.string().refine(isPictureAddress, 'invalid_picture')

const base64Max = Math.ceil(pictureBytesMax / 3) * 4

/** The file in base64: png, jpeg, webp or svg. */
const content = z
  .string()
  .min(1, 'picture_empty' satisfies PictureFault)
  .max(base64Max, 'picture_too_large' satisfies PictureFault)

const picture = z.object({ address: z.string(), width: z.int(), height: z.int() })
export type Picture = z.infer<typeof picture>

const upload = {
  answer: toData(picture),
  status: 201,
  confirmed: true,
  refusals: ['PICTURES_UNAVAILABLE'],
  bodyLimit: base64Max + 64 * 1024,
} as const

export const picturesApi = {
  addOfProduct: adminEndpoint('POST /admin/product-pictures', {
    operationId: 'addProductPicture',
    permission: 'catalogue.write',
    summary: 'Keeps a picture for products, drawn again without what cameras and programs wrote into the file',
    body: z.strictObject({ content }),
    ...upload,
  }),
  addOfShop: adminEndpoint('POST /admin/shop-pictures', {
    operationId: 'addShopPicture',
    permission: 'settings.write',
    summary: 'Keeps a logo or an icon of the shop, drawn again without what programs wrote into the file',
    body: z.strictObject({ content, use: z.enum(pictureUses).exclude(['product']) }),
    ...upload,
  }),
}
