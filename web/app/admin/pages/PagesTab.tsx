import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { PageVersion } from '@olmos/contract/pages'
import { Link, useSearchParams } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { BackLink } from '../list/BackLink.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { PageForm } from './PageForm.tsx'
import { usePages, useWrittenPage } from './pages.queries.ts'

/** The pages an owner writes: terms, privacy and the like. The address names the one that is being written. */
export default function PagesTab() {
  const pages = usePages()
  const [address] = useSearchParams()
  return (
    <Loaded query={pages} height={380}>
      {(all) => {
        const written = all.find(({ name }) => name === address.get('page'))
        return written ? <OnePage name={written.name} /> : <PageList pages={all} />
      }}
    </Loaded>
  )
}

function PageList({ pages }: { pages: readonly PageVersion[] }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text c="dimmed">{t('admin.pages.text')}</Text>
      {pages.map(({ name, is_published, languages, changed_at, changed_by, version }) => (
        <Surface key={name}>
          <Group justify="space-between">
            <div>
              <Group gap="sm">
                <Title order={2} size="h4">
                  {t(`pages.${name}`)}
                </Title>
                <Badge variant="light" color={is_published ? 'green' : 'gray'}>
                  {is_published ? t('admin.pages.published') : t('admin.pages.hidden')}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed">
                {languages.length > 0 ? languages.join(', ').toUpperCase() : t('admin.pages.blank')}
                {version > 1 && (
                  <>
                    {' · '}
                    <Moment at={changed_at} /> {changed_by}
                  </>
                )}
              </Text>
            </div>
            <Button
              component={Link}
              to={`?page=${name}`}
              variant="default"
              aria-label={`${t('admin.pages.open')}: ${t(`pages.${name}`)}`}
            >
              {t('admin.pages.open')}
            </Button>
          </Group>
        </Surface>
      ))}
    </Stack>
  )
}

function OnePage({ name }: Pick<PageVersion, 'name'>) {
  const { t } = useTranslation()
  return (
    <Stack align="stretch">
      <div>
        <BackLink to="?" text={t('admin.tabs.pages')} />
      </div>
      <Loaded query={useWrittenPage(name)} height={480}>
        {(page) => <PageForm page={page} />}
      </Loaded>
    </Stack>
  )
}
