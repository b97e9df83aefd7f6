import { Button, FileButton, Stack } from '@mantine/core'
import { pictureBytesMax } from '@olmos/contract/picture-address'
import type { PictureFault, PictureUse, picturesApi } from '@olmos/contract/pictures'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { caller } from '../../api/client.ts'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import type { AdminNoun } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RefusalAlert } from './RefusalAlert.tsx'
import { useAdminAction } from './use-admin-action.ts'

const addOfProduct = caller<typeof picturesApi.addOfProduct>('POST /admin/product-pictures')
const addOfShop = caller<typeof picturesApi.addOfShop>('POST /admin/shop-pictures')

const toBase64 = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    // What is read is `data:image/png;base64,` and the file; of an empty one, nothing.
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

async function addPicture(file: File, use: PictureUse) {
  if (file.size > pictureBytesMax) {
    throw new ApiError('VALIDATION_FAILED', 'too large', { content: 'picture_too_large' satisfies PictureFault }, 400)
  }
  const content = await toBase64(file)
  return use === 'product' ? addOfProduct({ body: { content } }) : addOfShop({ body: { content, use } })
}

interface PictureUploadProps {
  use: PictureUse
  noun: AdminNoun
  /** The text of the button. */
  label: string
  /** Gets the address at which the store serves it. */
  onUploaded(address: string): void
}

/** A button that sends a picture to the store. Nothing shows it before the form is saved that gets its address. */
export function PictureUpload({ use, noun, label, onUploaded }: PictureUploadProps) {
  const { t } = useTranslation()
  const reset = useRef<() => void>(null)
  const adding = useAdminAction({
    noun,
    send: (file: File) => addPicture(file, use),
    done: t('admin.pictures.uploaded'),
    onDone: ({ data }) => onUploaded(data.address),
  })
  const refusal = fieldTexts(t, toFieldErrors(adding.error)).content ?? adding.refusal
  return (
    <Stack gap={4} align="flex-start">
      <FileButton
        accept="image/png,image/jpeg,image/webp,image/svg+xml"
        resetRef={reset}
        onChange={(file) => {
          if (file) adding.mutate(file)
          // A file may be chosen once more, after it was put right.
          reset.current?.()
        }}
      >
        {(props) => (
          <Button
            variant="default"
            leftSection={<IconUpload size={18} aria-hidden />}
            loading={adding.isPending}
            {...props}
          >
            {label}
          </Button>
        )}
      </FileButton>
      <RefusalAlert text={refusal} />
    </Stack>
  )
}
