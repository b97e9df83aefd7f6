import { Group, Progress, Text } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import { IconClock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { promisedMs, second, toClock, toLeft } from './promise.ts'

/** The promised time, running. */
export function PromiseClock({ since }: { since: string }) {
  const { t } = useTranslation()
  const leftMs = toLeft(since, useNow())
  if (leftMs === 0) {
    return (
      <Text size="sm" mt="xs" c="var(--olmos-wait)">
        {t('topups.steps.late', { count: BUSINESS.topupMinutes })}
      </Text>
    )
  }
  return (
    <div role="timer">
      <Group gap={6} mt="xs" wrap="nowrap">
        <IconClock size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm">{t('topups.steps.left', { time: toClock(leftMs), count: BUSINESS.topupMinutes })}</Text>
      </Group>
      <Progress value={(leftMs / promisedMs) * 100} size="xs" mt={6} aria-hidden />
    </div>
  )
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), second)
    return () => clearInterval(timer)
  }, [])
  return now
}
