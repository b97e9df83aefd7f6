import { formatMoment } from './format-moment.ts'
import { useLanguage } from './use-language.ts'

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatMoment(at, useLanguage())}</time>
}
