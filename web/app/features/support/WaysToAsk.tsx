import { IconBrandTelegram, IconPencil } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { messageFieldName } from './SupportForm.tsx'
import classes from './WaysToAsk.module.css'

/** The two ways to ask: the operator's messenger, and the form of the page. They float above it as it scrolls. */
export function WaysToAsk({ messenger }: { messenger: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes.ways} data-top-bar>
      <a href={messenger} target="_blank" rel="noopener noreferrer" className={`cut ${classes.way}`}>
        <IconBrandTelegram size={24} aria-hidden />
        {t('support.messenger')}
      </a>
      <button
        type="button"
        className={`cut ${classes.way}`}
        onClick={() => document.getElementsByName(messageFieldName)[0]?.focus()}
      >
        <IconPencil size={24} aria-hidden />
        {t('support.writeHere')}
      </button>
    </div>
  )
}
