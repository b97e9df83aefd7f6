import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toastWarning } from '../../ui/toast.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import type { ListView } from '../list/use-list-view.ts'
import { copyCodes } from './generated-codes.queries.ts'
import { saveFile } from './save-file.ts'

interface CopyDialogProps {
  view: ListView
  /** How many codes the list has. */
  count: number
  onClose(): void
}

/** Says what is copied and that it is written down, before a code leaves the store. */
export function CopyDialog({ view, count, onClose }: CopyDialogProps) {
  const { t } = useTranslation()
  const copy = useAdminAction({
    noun: 'generatedCodes',
    send: (format: 'text' | 'csv') => fetchAndKeep(view, format),
    done: t('admin.generated.fetched'),
    onDone: (isKept) => {
      if (!isKept) toastWarning(t('receipt.notCopied'))
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('admin.generated.copyTitle', { count })}
      closeLabel={t('admin.form.cancel')}
    >
      <Stack>
        <Text>{t('admin.generated.copyText')}</Text>
        <Text size="sm" c="dimmed">
          {t('admin.generated.copyHint')}
        </Text>
        <RefusalAlert text={copy.refusal} />
        <Group justify="flex-end">
          <Button
            variant="default"
            leftSection={<IconDownload size={18} />}
            disabled={count === 0}
            loading={copy.isPending && copy.variables === 'csv'}
            onClick={() => copy.mutate('csv')}
          >
            {t('admin.generated.asCsv')}
          </Button>
          <Button
            leftSection={<IconCopy size={18} />}
            disabled={count === 0}
            loading={copy.isPending && copy.variables === 'text'}
            onClick={() => copy.mutate('text')}
          >
            {t('admin.generated.asText')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Answers whether the codes are where they were wanted. */
async function fetchAndKeep(view: ListView, format: 'text' | 'csv'): Promise<boolean> {
  const { data } = await copyCodes(view, format)
  if (format === 'text') return copyText(data.text)
  // Without the mark a spreadsheet reads another alphabet.
  saveFile('codes.csv', `\uFEFF${data.text}`, 'text/csv;charset=utf-8')
  return true
}
