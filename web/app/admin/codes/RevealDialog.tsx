import { Button, Code, Group, Stack, Text } from '@mantine/core'
import type { ListedCode } from '@olmos/contract/codes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { Refusal } from '../form/Refusal.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { revealCode } from './codes.queries.ts'

/** Shows one code; says first that the store writes down who looked. Nothing of it stays when it is closed. */
export function RevealDialog({ code, onClose }: { code: ListedCode; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const reveal = useMutation({
    mutationFn: () => asAdmin(client, revealCode(code)),
    retry: false,
    gcTime: 0,
  })
  const plain = reveal.data?.data.code

  const copy = async (text: string) => {
    if (await copyText(text)) toastSuccess(t('receipt.copied'))
    else toastError(t('admin.codes.copyFailed'))
  }

  return (
    <Dialog isOpen onClose={onClose} title={t('admin.codes.revealTitle')} closeLabel={t('admin.form.cancel')}>
      <Stack>
        {plain === undefined ? (
          <Text>{t('admin.codes.revealText')}</Text>
        ) : (
          <Code block fz="md" aria-label={t('admin.codes.code')}>
            {plain}
          </Code>
        )}
        {reveal.error && <Refusal text={refusalText(t, reveal.error)} />}
        <Group justify="flex-end">
          {plain === undefined ? (
            <Button loading={reveal.isPending} onClick={() => reveal.mutate()}>
              {t('admin.codes.revealNow')}
            </Button>
          ) : (
            <Button onClick={() => copy(plain)}>{t('admin.codes.copy')}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
