import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAdminAction } from '../form/use-admin-action.ts'
import type { ListView } from '../list/use-list-view.ts'
import { publishBatch } from './generated-codes.queries.ts'

/** Puts the whole batch that the list is filtered by on sale, or takes it off. */
export function BatchBar({ batch, view }: { batch: number; view: ListView }) {
  const { t } = useTranslation()
  const publish = useAdminAction({ noun: 'generatedCodes', send: publishBatch, done: t('admin.form.saved') })
  return (
    <Alert mb="md" color="gray" title={t('admin.generated.batch', { batch })}>
      <Text size="sm">{t('admin.generated.batchHint')}</Text>
      {publish.refusal && (
        <Text size="sm" c="red" role="alert">
          {publish.refusal}
        </Text>
      )}
      <Group mt="sm" gap="sm">
        <Button size="xs" loading={publish.isPending} onClick={() => publish.mutate({ batch, published: true })}>
          {t('admin.generated.publishBatch')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={publish.isPending}
          onClick={() => publish.mutate({ batch, published: false })}
        >
          {t('admin.generated.withdrawBatch')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => view.change({ batch: undefined })}>
          {t('admin.list.clear')}
        </Button>
      </Group>
    </Alert>
  )
}
