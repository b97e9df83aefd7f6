import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import type { SavedView } from '@olmos/contract/admin-orders'
import * as LIMITS from '@olmos/contract/limits'
import { IconBookmark, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { RowButtons } from '../list/RowButtons.tsx'
import type { ListView } from '../list/use-list-view.ts'
import classes from './OrderViews.module.css'
import { removeView, saveView, toChange, toKept, useOrderViews } from './orders.queries.ts'

type Filters = SavedView['filters']

const toText = (filters: Filters): string => JSON.stringify(Object.entries(filters).toSorted())

/** Kept filters of the list: pressed, they narrow it, and pressed again, they are taken away. */
export function OrderViews({ list }: { list: ListView }) {
  const { t } = useTranslation()
  const { data: views } = useOrderViews()
  const [chosenId, choose] = useState<number>()
  const [edited, setEdited] = useState<SavedView | 'new'>()
  const [removed, setRemoved] = useState<SavedView>()
  const kept = toKept(list)
  const isNarrowed = Object.keys(kept).length > 0
  // One that has lost all its filters narrows nothing, as a list does that nobody has narrowed.
  const isShown = (view: SavedView) => toText(view.filters) === toText(kept) && (isNarrowed || view.id === chosenId)
  const shown = views?.find((view) => view.id === chosenId && isShown(view)) ?? views?.find(isShown)
  const chosen = shown ?? views?.find((view) => view.id === chosenId)
  if (!views) return null
  return (
    <Stack component="section" aria-label={t('admin.orderViews.label')} mb="md" gap="xs">
      <Group gap="xs">
        <div className={classes.line}>
          {views.map((view) => (
            <Button
              key={view.id}
              size="xs"
              variant={view.id === shown?.id ? 'filled' : 'default'}
              aria-pressed={view.id === shown?.id}
              leftSection={view.is_shared && <IconUsers size={14} aria-hidden />}
              title={view.is_own ? view.name : t('admin.orderViews.sharedBy', { name: view.name, by: view.made_by })}
              onClick={() => {
                const isTaken = view.id === shown?.id
                choose(isTaken ? undefined : view.id)
                list.change(toChange(isTaken ? {} : view.filters))
              }}
            >
              {view.name}
            </Button>
          ))}
        </div>
        {chosen?.is_changeable && (
          <RowButtons name={chosen.name} onEdit={() => setEdited(chosen)} onRemove={() => setRemoved(chosen)} />
        )}
        {chosen?.is_changeable && isNarrowed && !shown && <Update view={chosen} filters={kept} />}
        {!shown && (
          // There before it can be pressed: it would move the list down, under a press that ends a search.
          <Button
            size="xs"
            variant="subtle"
            disabled={!isNarrowed}
            leftSection={<IconBookmark size={14} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            {t('admin.orderViews.keep')}
          </Button>
        )}
      </Group>
      {shown?.is_incomplete && (
        <Alert color="yellow" role="status">
          {t('admin.orderViews.incomplete')}
        </Alert>
      )}
      {edited && (
        <ViewForm
          view={edited === 'new' ? undefined : edited}
          filters={kept}
          onSaved={({ id }) => {
            choose(id)
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <ActionDialog
          title={t('admin.orderViews.removeTitle', { name: removed.name })}
          noun="orderViews"
          send={() => removeView(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <Text>{t(removed.is_shared ? 'admin.orderViews.removeShared' : 'admin.orderViews.removeText')}</Text>
        </ActionDialog>
      )}
    </Stack>
  )
}

/** Keeps the filters of the moment in a view that had others. */
function Update({ view, filters }: { view: SavedView; filters: Filters }) {
  const { t } = useTranslation()
  const update = useAdminAction({
    noun: 'orderViews',
    send: () => saveView(view, { filters }, view.version),
    done: t('admin.form.saved'),
    isRefusalToasted: true,
  })
  return (
    <Button size="xs" variant="subtle" loading={update.isPending} onClick={() => update.mutate(undefined)}>
      {t('admin.orderViews.update', { name: view.name })}
    </Button>
  )
}

interface ViewFormProps {
  /** None, for a new one. */
  view: SavedView | undefined
  /** What a new one keeps. */
  filters: Filters
  onSaved(view: SavedView): void
  onClose(): void
}

function ViewForm({ view, filters, onSaved, onClose }: ViewFormProps) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<{ name: string; is_shared: boolean }, SavedView>({
    noun: 'orderViews',
    row: view,
    toValues: (shown) => ({ name: shown?.name ?? '', is_shared: shown?.is_shared ?? false }),
    send: (values, version) => saveView(view, view ? values : { ...values, filters }, version),
    onSaved,
  })
  const labels = { name: t('admin.orderViews.name'), is_shared: t('admin.orderViews.shared') }
  return (
    <FormDrawer
      title={view ? t('admin.orderViews.editTitle', { name: view.name }) : t('admin.orderViews.keepTitle')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <TextInput
        label={labels.name}
        required
        maxLength={LIMITS.orderViewNameMax}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox label={labels.is_shared} {...form.getInputProps('is_shared', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
