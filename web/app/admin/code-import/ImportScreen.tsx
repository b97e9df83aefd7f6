import { Button, CloseButton, Fieldset, FileButton, Group, Progress, Stack, Text, Textarea, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFileTypeCsv, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { failureText } from '../../api/failure-text.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { BoughtFields } from '../batches/BoughtFields.tsx'
import { type BoughtValues, nothingBought, sentBought } from '../batches/bought-values.ts'
import { PlaceFields } from '../codes/PlaceFields.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { BackLink } from '../list/BackLink.tsx'
import { ImportPreview, ImportResult } from './ImportReport.tsx'
import { UnreadableFile } from './read-lines.ts'
import classes from './SourceField.module.css'
import { type Import, useImport } from './use-import.ts'

/** Many codes at once: choose where they belong, give the lines, look at what would happen, import. */
export function ImportScreen() {
  const { t } = useTranslation()
  const [source, setSource] = useState<Source>()
  const place = useForm({ initialValues: { productId: '', regionId: '0', bought: nothingBought } })
  const work = useImport()
  const { productId, regionId } = place.values
  const chosen = { productId: Number(productId), regionId: Number(regionId), bought: sentBought(place.values.bought) }
  const { stage } = work
  const isRunning = stage === 'reading' || stage === 'checking' || stage === 'importing'
  const missing = productId === '' ? t('admin.import.needProduct') : source ? undefined : t('admin.import.needLines')

  // Another place or other lines are another import.
  const begin = (next: () => void) => {
    work.reset()
    next()
  }
  const field = (name: 'productId' | 'regionId') => ({
    value: place.values[name],
    onChange: (event: React.ChangeEvent<HTMLSelectElement>) => {
      const { value } = event.currentTarget
      begin(() => place.setValues(name === 'productId' ? { productId: value, regionId: '0' } : { regionId: value }))
    },
  })

  const bought = (name: keyof BoughtValues & string) => {
    const { onChange, ...input } = place.getInputProps(`bought.${name}`)
    return { ...input, onChange: (value: unknown) => begin(() => onChange(value)) }
  }

  return (
    <Stack>
      <Group>
        <BackLink to={paths.admin('codes')} text={t('admin.import.back')} />
      </Group>
      <Title order={2} size="h3">
        {t('admin.import.title')}
      </Title>
      {stage !== 'done' && (
        <Surface>
          <Fieldset variant="unstyled" disabled={isRunning || stage === 'stopped'}>
            <Stack>
              <PlaceFields productId={productId} product={field('productId')} region={field('regionId')} />
              <Fieldset legend={t('admin.batches.purchase')}>
                <Stack>
                  <BoughtFields inputs={bought} />
                </Stack>
              </Fieldset>
              <SourceField source={source} onChange={(next) => begin(() => setSource(next))} />
              <Group>
                <Button
                  disabled={missing !== undefined || isRunning || stage === 'stopped'}
                  onClick={() => source && work.rehearse(source.text, chosen)}
                >
                  {t('admin.import.check')}
                </Button>
                <Text size="sm" c="dimmed">
                  {missing}
                </Text>
              </Group>
            </Stack>
          </Fieldset>
        </Surface>
      )}
      {stage === 'idle' && work.error !== undefined && <Trouble error={work.error} />}
      {isRunning && (
        <ImportProgress work={work} stage={stage} onStop={stage === 'importing' ? work.stop : work.reset} />
      )}
      {(stage === 'checked' || stage === 'stopped') && source && (
        <ImportPreview work={work} onImport={(confirmPrices) => work.run(source.text, chosen, confirmPrices)} />
      )}
      {stage === 'stopped' && work.error !== undefined && <Trouble error={work.error} />}
      {stage === 'done' && <ImportResult work={work} onAgain={() => begin(() => setSource(undefined))} />}
    </Stack>
  )
}

function Trouble({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const isUnreadable = error instanceof UnreadableFile
  return <RefusalAlert text={isUnreadable ? t(`admin.import.unreadable.${error.reason}`) : failureText(t, error)} />
}

interface ImportProgressProps {
  work: Import
  stage: 'reading' | 'checking' | 'importing'
  onStop(): void
}

/** How far it is. */
function ImportProgress({ work, stage, onStop }: ImportProgressProps) {
  const { t } = useTranslation()
  const total = work.checked?.length ?? 0
  const { lines } = stage === 'importing' ? work.sent : work.rehearsed
  const share = total === 0 ? 0 : Math.floor((lines / total) * 100)
  return (
    <Surface>
      <Stack gap="xs" role="status">
        <Group justify="space-between">
          <Text fw={600}>{t(`admin.import.stage.${stage}`)}</Text>
          <Text size="sm" c="dimmed">
            {total > 0 && t('admin.import.progress', { done: gameNumber(lines), total: gameNumber(total) })}
          </Text>
        </Group>
        <Progress
          value={stage === 'reading' ? 100 : share}
          animated={stage === 'reading'}
          aria-label={t(`admin.import.stage.${stage}`)}
          size="lg"
        />
        <Group justify="flex-end">
          <Button variant="default" size="compact-md" onClick={onStop}>
            {t('admin.import.stop')}
          </Button>
        </Group>
      </Stack>
    </Surface>
  )
}

interface Source {
  text: Blob
  /** The name of the file; undefined for typed lines. */
  name: string | undefined
}

/** A text field with more in it than this makes the page slow: it is taken as a file instead. */
const typedMax = 100_000

/** Lines to import: typed, pasted, dropped or chosen. */
function SourceField({ source, onChange }: { source: Source | undefined; onChange(source?: Source): void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isOver, setIsOver] = useState(false)
  const take = (file: File | null) => file && onChange({ text: file, name: file.name })

  if (source?.name !== undefined) {
    return (
      <Group gap="sm">
        <IconFileTypeCsv size={22} aria-hidden />
        <Text>
          {t('admin.import.file', { name: source.name, size: gameNumber(Math.ceil(source.text.size / 1024)) })}
        </Text>
        <CloseButton aria-label={t('admin.import.dropFile')} onClick={() => onChange(undefined)} />
      </Group>
    )
  }

  const type = (text: string) => {
    setTyped(text)
    onChange(text.trim() === '' ? undefined : { text: new Blob([text]), name: undefined })
  }

  return (
    <Stack
      gap="sm"
      className={classes.zone}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        take(event.dataTransfer.files[0] ?? null)
      }}
    >
      <Textarea
        label={t('admin.import.lines')}
        description={t('admin.import.linesHint')}
        placeholder={'ABCD-EFGH-1234,4.99,399,400'}
        autosize
        minRows={5}
        maxRows={12}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          if (text.length <= typedMax) return
          event.preventDefault()
          onChange({ text: new Blob([text]), name: t('admin.import.pasted') })
        }}
      />
      <Group gap="sm">
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={take}>
          {(props) => (
            <Button variant="default" leftSection={<IconUpload size={18} />} {...props}>
              {t('admin.import.chooseFile')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {t('admin.import.orDrop')}
        </Text>
      </Group>
    </Stack>
  )
}
