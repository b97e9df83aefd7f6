import { Text } from '@mantine/core'
import type { Receipt, StepName } from '@olmos/contract/orders'
import { IconArrowBackUp, IconCheck, IconQuestionMark } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatAmong } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { minute, second, toClock, toLeft } from './promise.ts'
import { awaitedSince, type ShownStep, toSteps } from './steps.ts'
import classes from './TopupSteps.module.css'

/** Some steps have another name while they are being done. */
const textNow = (name: StepName) =>
  name === 'unknown' || name === 'refunded'
    ? (`topups.steps.name.${name}` as const)
    : (`topups.steps.now.${name}` as const)

const marks: Record<ShownStep['look'], ReactNode> = {
  done: <IconCheck size={16} stroke={3} aria-hidden />,
  now: null,
  doubt: <IconQuestionMark size={16} stroke={3} aria-hidden />,
  returned: <IconArrowBackUp size={16} stroke={3} aria-hidden />,
  ahead: null,
}

/** How far a top-up has come, and how much of the promised time is left. */
export function TopupSteps({ item }: { item: Receipt['items'][number] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const since = awaitedSince(item)
  const steps = toSteps(item)
  const moments = steps.flatMap(({ at }) => at ?? [])
  return (
    <>
      {since && item.promised_minutes !== null && <PromiseClock since={since} minutes={item.promised_minutes} />}
      <ol className={classes.steps} aria-label={t('topups.steps.title')}>
        {steps.map(({ name, at, look }) => (
          <li key={name} className={classes.step} data-look={look} aria-current={look === 'now' ? 'step' : undefined}>
            <span className={classes.mark}>{marks[look]}</span>
            <span className={classes.name}>{t(look === 'now' ? textNow(name) : `topups.steps.name.${name}`)}</span>
            {at && (
              <Text component="time" dateTime={at} size="sm" c="dimmed">
                {formatAmong(at, moments, language)}
              </Text>
            )}
          </li>
        ))}
      </ol>
      {item.status === 'unknown' && (
        <Text mt="xs" maw="60ch">
          {t('topups.steps.unknownText')}
        </Text>
      )}
      {item.refunded_units > 0 && item.refunded_units < item.quantity && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('topups.steps.refundedUnits', { count: item.refunded_units, total: item.quantity })}
        </Text>
      )}
    </>
  )
}

/** The promised time, running. */
function PromiseClock({ since, minutes }: { since: string; minutes: number }) {
  const { t } = useTranslation()
  const promisedMs = minutes * minute
  const leftMs = toLeft(since, promisedMs, useNow())
  if (leftMs === 0) {
    return <p className={classes.late}>{t('topups.steps.late', { count: minutes })}</p>
  }
  const [before, left, after] = t('topups.steps.left', { time: toClock(leftMs), count: minutes }).split(/<\/?b>/)
  return (
    <div role="timer" className={classes.clock}>
      {before}
      <b className={classes.left}>{left}</b>
      {after}
      <span aria-hidden className={classes.bar}>
        <span style={{ width: `${(leftMs / promisedMs) * 100}%` }} />
      </span>
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
