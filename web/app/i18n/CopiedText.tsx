import { Button, Group, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { copyText } from '../ui/copy-text.ts'
import { useTranslation } from './use-translation.ts'

/** A text that is taken elsewhere, such as a link, with a button that copies it. */
export function CopiedText({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group justify="space-between">
        <Text
          ff="monospace"
          fw={600}
          translate="no"
          style={{ flex: '1 1 7rem', minWidth: 0, overflowWrap: 'anywhere', userSelect: 'all' }}
        >
          {text}
        </Text>
        <Button
          px="sm"
          style={{ flexShrink: 0 }}
          variant="default"
          leftSection={<IconCopy size={18} />}
          aria-label={t('shared.copy', { name: label })}
          onClick={async () => setOutcome((await copyText(text)) ? 'copied' : 'failed')}
        >
          {t(outcome === 'copied' ? 'receipt.copied' : 'shared.copyIt')}
        </Button>
      </Group>
      {outcome === 'failed' && (
        <Text size="sm" role="alert">
          {t('receipt.notCopied')}
        </Text>
      )}
    </div>
  )
}
