import { Alert, Button, Group, List, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { PoolReport } from '@olmos/contract/pubg-codes'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { BoughtFields } from '../batches/BoughtFields.tsx'
import { nothingBought, sentBought } from '../batches/bought-values.ts'
import { nouns, type useAllPubgDenominations } from '../denominations/denominations.queries.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { ListFailed } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { importPool, type PoolLines } from './pubg-codes.queries.ts'

interface PoolImportProps {
  denominations: ReturnType<typeof useAllPubgDenominations>
  onClose(): void
}

/** One code a line: looked at first, then put into the pool. */
export function PoolImport({ denominations, onClose }: PoolImportProps) {
  const { t } = useTranslation()
  const choices = denominations.data ?? []
  const [chosen, setChosen] = useState<string>()
  const denominationId = chosen ?? String(choices[0]?.id ?? '')
  const [lines, setLines] = useState('')
  const [report, setReport] = useState<PoolReport>()
  const bought = useForm({ initialValues: nothingBought, onValuesChange: () => setReport(undefined) })
  const wanted: PoolLines = { denominationId: Number(denominationId), lines, bought: sentBought(bought.values) }
  const check = useAdminAction({
    noun: 'pubgCodes',
    send: (pool: PoolLines) => importPool(pool, true),
    done: t('admin.pool.checked'),
    onDone: ({ data }) => setReport(data),
  })
  const add = useAdminAction({
    noun: nouns.pubg,
    send: (pool: PoolLines) => importPool(pool, false),
    done: t('admin.pool.added'),
    onDone: onClose,
  })
  const isReady = denominationId !== '' && lines.trim() !== ''
  const canAdd = report !== undefined && report.invalid.length === 0 && report.added > 0
  return (
    <SideView
      title={t('admin.pool.add')}
      onClose={onClose}
      size="lg"
      closeLabel={t('admin.form.cancel')}
      isUnsaved={lines.trim() !== '' || bought.isDirty()}
    >
      {(leave) => (
        <Stack>
          {denominations.error && choices.length === 0 && <ListFailed query={denominations} />}
          <NativeSelect
            label={t('admin.generated.denomination')}
            value={denominationId}
            onChange={(event) => {
              setChosen(event.currentTarget.value)
              setReport(undefined)
            }}
            data={choices.map((row) => ({ value: String(row.id), label: gameAmountText(t, row.uc_amount, 'UC') }))}
          />
          <Textarea
            label={t('admin.tabs.codes')}
            description={t('admin.pool.linesHint')}
            autosize
            minRows={8}
            maxRows={16}
            autoComplete="off"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={lines}
            onChange={(event) => {
              setLines(event.currentTarget.value)
              setReport(undefined)
            }}
          />
          <BoughtFields inputs={(field) => bought.getInputProps(field)} />
          {report && <Report report={report} />}
          <RefusalAlert text={check.refusal ?? add.refusal} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              {t('admin.form.cancel')}
            </Button>
            {canAdd ? (
              <Button loading={add.isPending} onClick={() => add.mutate(wanted)}>
                {t('admin.pool.addCount', { count: report.added })}
              </Button>
            ) : (
              <Button disabled={!isReady} loading={check.isPending} onClick={() => check.mutate(wanted)}>
                {t('admin.import.check')}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </SideView>
  )
}

const shownLines = 20

function Report({ report }: { report: PoolReport }) {
  const { t } = useTranslation()
  const { invalid, duplicates, added } = report
  return (
    <Alert color={invalid.length > 0 ? 'red' : added === 0 ? 'yellow' : 'green'} role="status">
      <Text>
        {invalid.length > 0 ? t('admin.pool.wrong', { count: invalid.length }) : t('admin.pool.fine', { count: added })}
      </Text>
      {invalid.length > 0 && (
        <List size="sm">
          {invalid.slice(0, shownLines).map(({ line, reason }) => (
            <List.Item key={line}>
              {t('admin.pool.line', { line })}:{' '}
              {t(reasonTexts[reason as keyof typeof reasonTexts] ?? reasonTexts.code_missing)}
            </List.Item>
          ))}
        </List>
      )}
      {duplicates.length > 0 && (
        <Text size="sm">
          {t('admin.pool.known', { count: duplicates.length, lines: duplicates.slice(0, shownLines).join(', ') })}
        </Text>
      )}
    </Alert>
  )
}

const reasonTexts = {
  wrong_columns: 'admin.pool.reasonColumns',
  code_too_long: 'admin.pool.reasonLong',
  code_missing: 'admin.pool.reasonNone',
} as const
