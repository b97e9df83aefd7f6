import { Button, CloseButton, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconFileTypeCsv, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './SourceField.module.css'

export interface SourceFile {
  text: Blob
  /** The name of the file; undefined for typed lines. */
  name: string | undefined
}

interface SourceFieldProps {
  source: SourceFile | undefined
  onChange(source?: SourceFile): void
}

/** A text field with more in it than this makes the page slow: it is taken as a file instead. */
const typedMax = 100_000

/** Lines to import: typed, pasted, dropped or chosen. */
export function SourceField({ source, onChange }: SourceFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isOver, setIsOver] = useState(false)
  const take = (file: File | null) => file && onChange({ text: file, name: file.name })

  const type = (text: string) => {
    setTyped(text)
    onChange(text.trim() === '' ? undefined : { text: new Blob([text]), name: undefined })
  }

  if (source?.name !== undefined) {
    return (
      <Group gap="sm">
        <IconFileTypeCsv size={22} aria-hidden />
        <Text>
          {t('admin.import.file', { name: source.name, size: gameNumber(Math.ceil(source.text.size / 1024)) })}
        </Text>
        <CloseButton aria-label={t('admin.import.dropFile')} onClick={() => type(typed)} />
      </Group>
    )
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
        <FileButton accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain" onChange={take}>
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
