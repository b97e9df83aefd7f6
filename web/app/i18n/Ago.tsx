import { useSyncExternalStore } from 'react'
import { formatAgo } from './format-ago.ts'
import { formatMoment } from './format-moment.ts'
import { useLanguage } from './use-language.ts'

const minuteMs = 60_000

const everyMinute = (tell: () => void) => {
  const timer = setInterval(tell, minuteMs)
  return () => clearInterval(timer)
}
const thisMinute = () => Math.floor(Date.now() / minuteMs)

/** How long ago, as it grows; exactly when under the pointer. */
export function Ago({ at }: { at: string }) {
  const language = useLanguage()
  useSyncExternalStore(everyMinute, thisMinute)
  return (
    <time dateTime={at} title={formatMoment(at, language)}>
      {formatAgo(at, Date.now(), language)}
    </time>
  )
}
