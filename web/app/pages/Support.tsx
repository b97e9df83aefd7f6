import { Anchor, Box, Button, Grid, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ShopQuestion } from '@olmos/contract/front'
import { type ReactNode, useState } from 'react'
import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData, useSearchParams } from 'react-router'
import { Faq } from '../features/support/Faq.tsx'
import { OwnTalks } from '../features/support/OwnTalks.tsx'
import { SupportForm } from '../features/support/SupportForm.tsx'
import { WaysToAsk } from '../features/support/WaysToAsk.tsx'
import { CopiedText } from '../i18n/CopiedText.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { storedCustomer, useIsLoggedIn } from '../session/session.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Page } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'
import { Contacts, useContacts } from './layout/Contacts.tsx'
import { pageMeta } from './page-meta.ts'
import classes from './Support.module.css'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { t, describe, read } = await pageServer(args)
  const own = await read<{ data: ShopQuestion[] }>('/shop/questions')
  return { questions: own?.data ?? [], meta: describe(t('support.title'), t('support.description')) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** Who is not logged in can't know an ID. */
const nobody = { nickname: '', userId: '0' }

export default function Support() {
  const { t } = useTranslation()
  const isLoggedIn = useIsLoggedIn()
  const [isThanked, { open: thank, close }] = useDisclosure()
  const [sent, setSent] = useState<{ id: number; link: string | null }>()
  const { messenger_url: messenger, email, phone, working_hours, reply_hours } = useContacts()
  const hasOthers = [email, phone, working_hours].some((contact) => contact !== null)
  const [address] = useSearchParams()
  const { questions } = useLoaderData<typeof loader>()
  const reply = t('support.reply', { count: reply_hours })

  return (
    <Page title={t('support.title')}>
      {messenger && <WaysToAsk messenger={messenger} />}
      {isLoggedIn && (
        <Box mb={{ base: 'sm', md: 'lg' }}>
          <OwnTalks />
        </Box>
      )}
      <Grid gap={{ base: 'sm', md: 'lg' }}>
        <Grid.Col span={{ base: 12, sm: 7 }}>
          <Surface p="lg">
            <Title order={2} size="h3">
              {t('support.write')}
            </Title>
            <Text c="dimmed" mb="md">
              {reply}
            </Text>
            <SupportForm
              customer={isLoggedIn ? storedCustomer() : nobody}
              isLoggedIn={isLoggedIn}
              order={address.get('order') ?? ''}
              onSent={(done) => {
                setSent(done)
                thank()
              }}
            />
          </Surface>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 5 }}>
          <Stack gap="sm">
            {hasOthers && (
              <Surface p="lg" className={classes.contacts}>
                <Title order={2} size="h3" mb="xs">
                  {t('support.contacts')}
                </Title>
                <Contacts />
              </Surface>
            )}
            <Surface p="lg">
              <Title order={2} size="h3" mb="xs">
                {t('support.faq')}
              </Title>
              <Faq
                entries={
                  questions.length > 0
                    ? questions
                    : [
                        {
                          question: t('support.passwordQuestion'),
                          answer: <Answer text="support.passwordAnswer" ways={[paths.profile, paths.recover]} />,
                        },
                        {
                          question: t('support.ordersQuestion'),
                          answer: <Answer text="support.ordersAnswer" ways={[paths.orders]} />,
                        },
                        { question: t('support.directQuestion'), answer: `${t('support.directAnswer')} ${reply}` },
                      ]
                }
              />
            </Surface>
            <Explained id="ids" title={t('support.ids')}>
              <p>{t('support.idOfPlayer')}</p>
              <p>{t('support.idOfSteam')}</p>
            </Explained>
            <Explained id="refunds" title={t('support.refunds')}>
              <p>{t('support.refundOfTopup')}</p>
              <p>{t('support.refundOfCode')}</p>
            </Explained>
          </Stack>
        </Grid.Col>
      </Grid>
      <Dialog isOpen={isThanked} onClose={close} title={t('support.thanks')}>
        <Stack>
          <Text>{t('support.thanksText', { count: reply_hours })}</Text>
          {sent?.link && (
            <>
              <Text>{t('talk.keepLink')}</Text>
              <CopiedText label={t('talk.link')} text={sent.link} />
            </>
          )}
          {sent && (
            <Button component={Link} to={toTalk(sent)} variant="default" fullWidth>
              {t('talk.open')}
            </Button>
          )}
          <Button onClick={close} fullWidth data-autofocus>
            {t('support.close')}
          </Button>
        </Stack>
      </Dialog>
    </Page>
  )
}

/** A link of the store's own, without its host: it may be reached by another name here. */
const toTalk = ({ id, link }: { id: number; link: string | null }): string =>
  link === null ? paths.conversation(id) : `${paths.linkedConversation}#${link.split('#')[1]}`

/** A part of the page that links elsewhere lead to. */
const Explained = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} className={classes.explained}>
    <h2>{title}</h2>
    {children}
  </section>
)

interface AnswerProps {
  text: 'support.passwordAnswer' | 'support.ordersAnswer'
  /** Where its links lead, in their order. */
  ways: readonly string[]
}

/** An answer whose words between <way> and </way> are links. */
function Answer({ text, ways }: AnswerProps) {
  const { t } = useTranslation()
  const parts = t(text).split(/<\/?way>/)
  return parts.map((part, place) => {
    const to = place % 2 === 1 ? ways[(place - 1) / 2] : undefined
    return to ? (
      <Anchor key={part} component={Link} to={to} underline="always">
        {part}
      </Anchor>
    ) : (
      part
    )
  })
}
