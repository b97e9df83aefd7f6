import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { type Language, languages } from '@olmos/contract/fields'
import type { PageVersion, WrittenPage } from '@olmos/contract/pages'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { OwnText } from '../../features/own-pages/Blocks.tsx'
import { languageNames } from '../../i18n/languages.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { useAdminQuery } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { previewText, usePageVersions, useWrittenPage } from './pages.queries.ts'

interface PageHistoryProps {
  page: WrittenPage
  /** Puts what a version said into the form. */
  onTake(version: WrittenPage): void
}

/** A button that shows the earlier versions; the address may name one of them, which orders do. */
export function PageHistory({ page, onTake }: PageHistoryProps) {
  const { t } = useTranslation()
  const [params, change] = useAddress()
  const [isOpen, setOpen] = useState(false)
  const version = Number(params.get('version')) || undefined
  const show = (one: number | undefined) => change({ version: one })
  return (
    <>
      <Button variant="subtle" leftSection={<IconHistory size={18} aria-hidden />} onClick={() => setOpen(true)}>
        {t('admin.shop.history')}
      </Button>
      {isOpen && (
        <VersionList
          page={page}
          onClose={() => setOpen(false)}
          onOpen={(one) => {
            setOpen(false)
            show(one)
          }}
        />
      )}
      {version && (
        <OneVersion
          page={page}
          version={version}
          onClose={() => show(undefined)}
          onTake={(one) => {
            onTake(one)
            show(undefined)
          }}
        />
      )}
    </>
  )
}

interface VersionListProps {
  page: WrittenPage
  onClose(): void
  onOpen(version: number): void
}

function VersionList({ page, onClose, onOpen }: VersionListProps) {
  const { t } = useTranslation()
  const toSummary = ({ is_published, languages: written }: PageVersion) =>
    [
      is_published ? t('admin.pages.published') : t('admin.pages.hidden'),
      written.length > 0 ? written.join(', ').toUpperCase() : t('admin.pages.blank'),
    ].join(' · ')
  return (
    <SideView title={t('admin.shop.history')} onClose={onClose}>
      <Loaded query={usePageVersions(page.name)} height={240}>
        {(versions) => (
          <Stack>
            {versions.map((one) => (
              <Group key={one.version} justify="space-between" align="flex-start" wrap="nowrap">
                <div>
                  <Text size="sm" c="dimmed">
                    <Moment at={one.changed_at} /> {one.changed_by ?? t('admin.shop.byTheStore')}
                  </Text>
                  <Text>{toSummary(one)}</Text>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('admin.pages.openVersion', { number: one.version })}
                  onClick={() => onOpen(one.version)}
                >
                  {t('admin.pages.open')}
                </Button>
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </SideView>
  )
}

interface OneVersionProps extends PageHistoryProps {
  version: number
  onClose(): void
}

/** What a page said in one of its versions, as it was shown. */
function OneVersion({ page, version, onTake, onClose }: OneVersionProps) {
  const { t } = useTranslation()
  const title = `${t(`pages.${page.name}`)}: ${t('admin.pages.version', { number: version })}`
  return (
    <SideView title={title} onClose={onClose}>
      <Loaded query={useWrittenPage(page.name, version)} height={320}>
        {(shown) => (
          <Stack gap="lg">
            <Text size="sm" c="dimmed">
              <Moment at={shown.changed_at} /> {shown.changed_by ?? t('admin.shop.byTheStore')}
              {' · '}
              {shown.is_published ? t('admin.pages.published') : t('admin.pages.hidden')}
            </Text>
            {version !== page.version && (
              <Allowed to="settings.write">
                <Group>
                  <Button variant="default" onClick={() => onTake(shown)}>
                    {t('admin.pages.take')}
                  </Button>
                </Group>
              </Allowed>
            )}
            {languages.map((language) => {
              const text = shown.texts[language]
              return text && <ShownText key={language} of={[page.name, version]} language={language} text={text} />
            })}
          </Stack>
        )}
      </Loaded>
    </SideView>
  )
}

interface ShownTextProps {
  /** Which version of which page. */
  of: readonly (string | number)[]
  language: Language
  text: string
}

function ShownText({ of, language, text }: ShownTextProps) {
  const shown = useAdminQuery(queryKeys.admin.noun('pages', 'shown', ...of, language), () => previewText(text))
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {languageNames[language]}
      </Title>
      <Loaded query={shown} height={160}>
        {(blocks) => <OwnText blocks={blocks} language={language} />}
      </Loaded>
    </section>
  )
}
