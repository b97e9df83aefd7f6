import { Anchor, Badge, Box, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { languages } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import type { UnitSettings } from '@olmos/contract/shop'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAddress } from '../../address.ts'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/profile.ts'
import { Surface } from '../../ui/Surface.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { InEachLanguage } from '../front/Preview.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { removeUnit, saveUnit, shopHistory, useBuiltInTexts, useUnits } from './shop.queries.ts'
import {
  exampleText,
  findMissing,
  findUnit,
  type KnownUnit,
  listUnits,
  toSentWords,
  toUnitValues,
  type UnitValues,
  wordFields,
} from './units.rules.ts'
import { Versions } from './Versions.tsx'

/** The parameter of the address that opens the words for a currency, or the form for new ones. */
const unitParam = 'unit'

/** The words for currencies of games, with their forms after numbers. */
export function UnitList() {
  const { t } = useTranslation()
  const builtIn = useBuiltInTexts()
  return (
    <Surface p={{ base: 'md', sm: 'lg' }} maw={960} title={t('admin.shop.units')}>
      <Loaded query={useUnits()} height={240}>
        {(settings) => (
          <Stack>
            <Group justify="space-between" align="flex-start">
              <Text size="sm" c="dimmed" flex="1 1 260px">
                {t('admin.shop.unitsText')}
              </Text>
              <Versions history={shopHistory('units')} />
            </Group>
            <Loaded query={builtIn} height={160}>
              {(texts) => <Units settings={settings} units={listUnits(settings.units, texts)} />}
            </Loaded>
          </Stack>
        )}
      </Loaded>
    </Surface>
  )
}

function Units({ settings, units }: { settings: UnitSettings; units: readonly KnownUnit[] }) {
  const { t } = useTranslation()
  const may = useMay()
  const [params, change] = useAddress()
  const [removed, setRemoved] = useState<KnownUnit>()
  const [isAdding, setAdding] = useState(false)
  const edited = isAdding ? '' : params.get(unitParam)
  const edit = (name: string | undefined) => change({ [unitParam]: name })
  return (
    <>
      <Allowed to="settings.write">
        <Group>
          <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
            {t('admin.shop.unitAdd')}
          </Button>
        </Group>
      </Allowed>
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('admin.shop.units')}>
        {units.map((unit) => (
          <Group key={unit.name} component="li" justify="space-between" gap="sm" align="flex-start">
            <Box flex="1 1 220px" miw={0}>
              <Group gap="xs">
                <Text translate="no">{unit.name}</Text>
                {unit.isOwn && <Badge variant="light">{t('admin.shop.own')}</Badge>}
              </Group>
              {languages.map((language) => (
                <Text key={language} size="sm" c="dimmed" lang={language} style={{ overflowWrap: 'anywhere' }}>
                  {exampleText(language, unit.name, unit.words)}
                </Text>
              ))}
            </Box>
            <Allowed to="settings.write">
              <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('admin.list.edit', { name: unit.name })}
                  onClick={() => edit(unit.name)}
                >
                  {t('admin.shop.edit')}
                </Button>
                {unit.isOwn && (
                  <Button
                    variant="subtle"
                    size="xs"
                    aria-label={t('admin.shop.unitRemoveOf', { name: unit.name })}
                    onClick={() => setRemoved(unit)}
                  >
                    {t('admin.shop.unitRemove')}
                  </Button>
                )}
              </Group>
            </Allowed>
          </Group>
        ))}
      </Stack>
      {edited !== null && may('settings.write') && (
        <UnitForm
          key={edited}
          unit={findUnit(units, edited)}
          name={edited}
          settings={settings}
          onClose={() => {
            setAdding(false)
            edit(undefined)
          }}
        />
      )}
      {removed && (
        <ActionDialog
          title={t('admin.shop.unitRemoveTitle', { name: removed.name })}
          confirmLabel={t('admin.shop.unitRemove')}
          noun="shop"
          send={() => removeUnit(removed.name, settings.version)}
          done={t('admin.shop.unitRemoved')}
          onClose={() => setRemoved(undefined)}
        >
          <Text>{t('admin.shop.unitRemoveText')}</Text>
        </ActionDialog>
      )}
    </>
  )
}

interface UnitFormProps {
  /** The one that has words. */
  unit: KnownUnit | undefined
  /** What a new one is called. */
  name: string
  settings: UnitSettings
  onClose(): void
}

function UnitForm({ unit, name, settings, onClose }: UnitFormProps) {
  const { t } = useTranslation()
  const was = unit?.isOwn ? unit.name : undefined
  const saving = useAdminForm<UnitValues, UnitSettings>({
    noun: 'shop',
    row: settings,
    // Words that another admin has given meanwhile; those of the store never change.
    toValues: (row = settings) => toUnitValues(unit?.name ?? name, { ...unit?.words, ...(was && row.units[was]) }),
    send: (values, version) =>
      saveUnit({ name: values.name, words: toSentWords(values), ...(was && { was }) }, version),
    done: t('admin.shop.unitSaved'),
    validate: findMissing,
    onSaved: onClose,
  })
  const { form } = saving
  const labels = {
    name: t('admin.shop.unitName'),
    ...Object.fromEntries(
      wordFields.map(({ field, language, numbers }) => [field, `${languageNames[language]}: ${numbers}`]),
    ),
  }
  const { name: typed, words } = form.values
  return (
    <FormDrawer
      title={unit ? t('admin.shop.unitOf', { name: unit.name }) : t('admin.shop.unitAdd')}
      onClose={onClose}
      form={saving}
      labels={labels}
    >
      <TextInput
        label={labels.name}
        description={t('admin.shop.unitNameHint')}
        maxLength={LIMITS.unitNameMax}
        autoComplete="off"
        // What the store has words for is found by this name.
        disabled={unit !== undefined && !unit.isOwn}
        {...form.getInputProps('name')}
      />
      <Text size="sm" c="dimmed">
        {t('admin.shop.unitWordsText')}
      </Text>
      {languages.map((language) => (
        <SimpleGrid key={language} cols={{ base: 1, sm: 3 }}>
          {wordFields
            .filter((one) => one.language === language)
            .map(({ field }) => (
              <TextInput
                key={field}
                lang={language}
                label={labels[field as keyof typeof labels]}
                maxLength={LIMITS.unitWordMax}
                autoComplete="off"
                {...form.getInputProps(field)}
              />
            ))}
        </SimpleGrid>
      ))}
      <Text fw={600}>{t('admin.pages.preview')}</Text>
      <InEachLanguage>
        {(language) => <Text>{exampleText(language, typed.trim() || name, words as KnownUnit['words'])}</Text>}
      </InEachLanguage>
    </FormDrawer>
  )
}

/** Says under a game's currency how pages will write amounts of it, or that it has no words, and leads to where it gets some. */
export function UnitHint({ currency }: { currency: string }) {
  const { t, language } = useTranslation()
  const may = useMay()
  const own = useUnits(may('settings.read')).data
  const builtIn = useBuiltInTexts().data
  const name = currency.trim()
  if (name === '') return t('admin.products.gameCurrencyHint')
  const unit = builtIn && findUnit(listUnits(own?.units ?? {}, builtIn), name)
  if (!builtIn) return null
  if (unit?.words[language]) return exampleText(language, unit.name, unit.words)
  return (
    <>
      {t('admin.shop.unitNone')}{' '}
      <Allowed to="settings.write">
        <Anchor
          component={Link}
          to={`${paths.admin('shop')}?${new URLSearchParams({ [unitParam]: name })}`}
          target="_blank"
          size="xs"
        >
          {t('admin.shop.unitAdd')}
        </Anchor>
      </Allowed>
    </>
  )
}
