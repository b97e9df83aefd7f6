import { formatMoment, formatRecent } from './format-moment.ts'
import { useLanguage } from './use-language.ts'

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatMoment(at, useLanguage())}</time>
}

/** A moment as people say it; exactly when under the pointer. */
export function RecentMoment({ at }: { at: string }) {
  const language = useLanguage()
  return (
    <time dateTime={at} title={formatMoment(at, language)}>
      {formatRecent(at, Date.now(), language)}
    </time>
  )
}
