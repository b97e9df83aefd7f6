import type { ShownBanner } from '@olmos/contract/front'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { TextInEach } from '../../server-context.ts'
import { keepCookie } from '../../ui/keep-cookie.ts'
import classes from './Layout.module.css'

export interface StripsProps {
  /** What is only played in a shop that strangers reach. */
  played: { label: TextInEach; text: TextInEach } | undefined
  banner: ShownBanner | null
}

/**
 * What stands above a page. It comes with the page from the server: nobody sees the shop without it, and nothing moves when
 * scripts are there. Its texts come along, and its styles are those of the first pages.
 */
export function Strips({ played, banner }: StripsProps) {
  const { language } = useTranslation()
  return (
    <>
      {played && (
        <aside aria-label={played.label[language]} className={classes.openSandbox}>
          {played.text[language]}
        </aside>
      )}
      {banner && <Banner banner={banner} />}
    </>
  )
}

/** What the owner tells everybody for a while. Who closes it is not sent it again: a cookie says so. */
function Banner({ banner: { id, texts, kind, url } }: { banner: ShownBanner }) {
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
