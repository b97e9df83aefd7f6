import { Link } from 'react-router'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { pressClass } from '../ui/Press.tsx'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <Message title={t('notFound.title')} text={t('notFound.text')} drawing="empty">
      <PrivateTitle title={t('notFound.title')} />
      <Link to={paths.products} className={pressClass()}>
        {t('notFound.browse')}
      </Link>
      <Link to={paths.home} className={pressClass('plain')}>
        {t('notFound.home')}
      </Link>
    </Message>
  )
}
