import { Button } from '@mantine/core'
import type { ExportFormat, ExportName, exportsApi } from '@olmos/contract/exports'
import { IconDownload } from '@tabler/icons-react'
import { caller } from '../../api/client.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Allowed } from '../shell/Allowed.tsx'

const start = caller<typeof exportsApi.start>('POST /admin/exports')

interface ExportButtonsProps {
  what: ExportName
  /** Days or filters, as the call takes them. */
  narrowed?: object
}

const formats = ['csv', 'xlsx'] as const satisfies readonly ExportFormat[]

/**
 * Downloads everything that a list has. The store makes an address that answers once, and the browser follows it by itself,
 * so that the file goes to the disk piece by piece and never into the page.
 */
export function ExportButtons({ what, narrowed }: ExportButtonsProps) {
  const { t } = useTranslation()
  const download = useAdminAction({
    noun: 'audit',
    send: (format: ExportFormat) => start({ body: { what, format, ...narrowed } as never }),
    done: t('admin.exports.started'),
    onDone: ({ data }) => {
      const link = document.createElement('a')
      link.href = data.path
      link.download = ''
      link.click()
    },
  })
  return (
    <>
      <Allowed to="exports.read">
        <Button.Group aria-label={t('admin.exports.label')}>
          {formats.map((format) => (
            <Button
              key={format}
              variant="default"
              leftSection={<IconDownload size={18} aria-hidden />}
              loading={download.isPending && download.variables === format}
              onClick={() => download.mutate(format)}
            >
              {t(`admin.exports.${format}`)}
            </Button>
          ))}
        </Button.Group>
      </Allowed>
      <RefusalAlert text={download.refusal} />
    </>
  )
}
