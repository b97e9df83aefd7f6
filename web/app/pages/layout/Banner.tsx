import type { ShownBanner } from '@olmos/contract/front'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { keepCookie } from '../../ui/keep-cookie.ts'
import classes from './Layout.module.css'

/**
 * What the owner tells everybody for a while. Its texts and styles are those of the first pages, with which it comes from
 * the server. Who closes it is not sent it again: a cookie says so.
 */
export function Banner({ banner: { id, texts, kind, url } }: { banner: ShownBanner }) {
  const { t, language } = useTranslation()
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  const text = texts[language] || Object.values(texts).find((one) => one !== '')
  const close = () => {
    keepCookie('banner', id)
    setClosed(true)
  }
  return (
    <aside className={classes.banner} data-kind={kind}>
      {url ? <Link to={url}>{text}</Link> : <p>{text}</p>}
      <button type="button" aria-label={t('header.closeToast')} onClick={close}>
        ×
      </button>
    </aside>
  )
}
