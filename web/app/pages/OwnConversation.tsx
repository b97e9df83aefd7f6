import { Box, Button, Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { TalkView } from '../features/support/TalkView.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { CustomerPage } from './CustomerPage.tsx'

/** One conversation of the customer who is logged in. */
export default function OwnConversation() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const back = (
    <Button component={Link} to={paths.support} variant="default" leftSection={<IconArrowLeft size={18} />}>
      {t('support.title')}
    </Button>
  )
  return (
    <CustomerPage title={t('talk.title')} skeleton={<Skeleton h={320} />}>
      <Box mb="md">{back}</Box>
      <TalkView
        key={id}
        // What is no id is answered as one that is not there.
        place={{ id: /^\d{1,9}$/.test(id) ? id : '0' }}
        missing={<Message title={t('notFound.title')}>{back}</Message>}
      />
    </CustomerPage>
  )
}
