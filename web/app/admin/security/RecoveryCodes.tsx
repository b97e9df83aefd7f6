import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { copyText } from '../../ui/copy-text.ts'
import { toastError, toastSuccess } from '../../ui/toast.ts'

/** Shown once: the store itself does not know them. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const { t } = useTranslation()
  const copy = async () =>
    (await copyText(codes.join('\n'))) ? toastSuccess(t('receipt.copied')) : toastError(t('admin.security.notCopied'))
  return (
    <Stack maw={560}>
      <Alert color="yellow" title={t('admin.security.keepCodes')}>
        {t('admin.security.keepCodesText')}
      </Alert>
      <SimpleGrid cols={2} spacing="xs" component="ul" m={0} pl="lg">
        {codes.map((code) => (
          <Text key={code} component="li" ff="monospace" translate="no">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group>
        <Button variant="default" leftSection={<IconCopy size={18} />} onClick={copy}>
          {t('admin.generated.copyAll')}
        </Button>
        <Button onClick={onKept}>{t('admin.security.kept')}</Button>
      </Group>
    </Stack>
  )
}
