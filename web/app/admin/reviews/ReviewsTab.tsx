import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import type { ListedReview, reviewsApi } from '@olmos/contract/reviews'
import { useState } from 'react'
import { Link } from 'react-router'
import { caller } from '../../api/client.ts'
import type { Tone } from '../../features/orders/order.rules.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Stars } from '../../ui/Stars.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { useAdminList } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'

const load = caller<typeof reviewsApi.list>('GET /admin/reviews')
const answer = caller<typeof reviewsApi.answer>('PUT /admin/reviews/:id/answer')
const hide = caller<typeof reviewsApi.hide>('PUT /admin/reviews/:id/hidden')

type State = 'waiting' | 'answered' | 'hidden' | 'withdrawn'

const tones: Record<State, Tone> = { waiting: 'wait', answered: 'good', hidden: 'bad', withdrawn: 'bad' }

function readState({ withdrawn_at, hidden_at, answered_at, changed_at }: ListedReview): State {
  if (withdrawn_at) return 'withdrawn'
  if (hidden_at) return 'hidden'
  return answered_at && answered_at >= (changed_at ?? '') ? 'answered' : 'waiting'
}

/** What buyers say of products: to be answered, or hidden with a reason, and never edited. */
export default function ReviewsTab() {
  const { t } = useTranslation()
  const list = useAdminList<ListedReview>({ noun: 'reviews', load, filters: ['filter', 'stars'] })
  const [open, setOpen] = useState<ListedReview>()
  const [turned, setTurned] = useState<ListedReview>()

  const reviewColumns: Column<ListedReview>[] = [
    {
      title: t('admin.reviews.review'),
      isHead: true,
      cell: (review) => (
        <>
          <Anchor component="button" fw={600} ta="start" onClick={() => setOpen(review)}>
            <span translate="no">{review.nickname}</span>
          </Anchor>
          <Text size="sm" lineClamp={2} c={review.text === '' ? 'dimmed' : undefined} dir="auto">
            {review.text || t('admin.reviews.noText')}
          </Text>
        </>
      ),
    },
    {
      title: t('admin.reviews.stars'),
      sort: 'stars',
      isBare: true,
      cell: (review) => <StarCell stars={review.stars} />,
    },
    { title: t('admin.reviews.product'), isBare: true, cell: (review) => <ProductName review={review} /> },
    { ...columns.created(t), isSecondary: true },
    {
      title: t('admin.reviews.filter'),
      isState: true,
      cell: (review) => {
        const state = readState(review)
        return <StatusBadge tone={tones[state]} text={t(`admin.reviews.state.${state}`)} />
      },
    },
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={reviewColumns}
        onOpen={setOpen}
        actions={(review) => (
          <Allowed to="support.write">
            <Button variant="default" size="compact-md" miw="max-content" onClick={() => setTurned(review)}>
              {t(review.hidden_at ? 'admin.reviews.show' : 'admin.reviews.hide')}
            </Button>
          </Allowed>
        )}
        searchLabel={t('admin.reviews.search')}
        empty={t('admin.reviews.empty')}
        selects={[
          {
            name: 'filter',
            label: t('admin.reviews.filter'),
            options: (['waiting', 'hidden', 'withdrawn'] as const).map((value) => ({
              value,
              label: t(`admin.reviews.state.${value}`),
            })),
          },
          {
            name: 'stars',
            label: t('admin.reviews.stars'),
            options: ['5', '4', '3', '2', '1'].map((value) => ({ value, label: value })),
          },
        ]}
      />
      {open && <AnswerForm review={open} onClose={() => setOpen(undefined)} />}
      {turned && <TurnDialog review={turned} onClose={() => setTurned(undefined)} />}
    </>
  )
}

function StarCell({ stars }: { stars: number }) {
  const { t } = useTranslation()
  return (
    <>
      <Stars filled={stars} />
      <span className="visually-hidden">{t('reviews.stars', { stars })}</span>
    </>
  )
}

function ProductName({ review: { product } }: { review: ListedReview }) {
  const { t } = useTranslation()
  if (product.is_deleted) return `${product.title} (${t('admin.reviews.deletedProduct')})`
  return (
    <Anchor component={Link} to={paths.product(product.slug)}>
      {product.title}
    </Anchor>
  )
}

interface OneReview {
  review: ListedReview
  onClose(): void
}

/** The whole review, and the answer that stands below it for everybody. */
function AnswerForm({ review, onClose }: OneReview) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<{ answer: string }, ListedReview>({
    noun: 'reviews',
    row: review,
    toValues: (row) => ({ answer: row?.answer ?? '' }),
    send: (values, version) =>
      answer({ params: { id: String(review.id) }, body: { ...values, ...(version && { version }) } }),
    onSaved: onClose,
  })
  const labels = { answer: t('admin.reviews.answer') }
  return (
    <FormDrawer title={review.nickname} onClose={onClose} form={{ form, ...saving }} labels={labels}>
      <Stack gap="xs">
        <Group gap="xs">
          <StarCell stars={review.stars} />
          <Text size="sm" c="dimmed">
            <Moment at={review.created_at} />
          </Text>
          {review.changed_at && (
            <Text size="sm" c="dimmed">
              {t('admin.reviews.changed')} <Moment at={review.changed_at} />
            </Text>
          )}
        </Group>
        <Text size="sm">
          <ProductName review={review} /> ·{' '}
          <Anchor component={Link} to={`${paths.admin('orders')}?order=${review.order_id}`} size="sm">
            {t('admin.reviews.order', { id: review.order_id })}
          </Anchor>
        </Text>
        <Text style={{ whiteSpace: 'pre-wrap' }} dir="auto">
          {review.text || t('admin.reviews.noText')}
        </Text>
        {review.answered_by && review.answered_at && (
          <Text size="sm" c="dimmed">
            {t('admin.reviews.answeredBy', { name: review.answered_by })} <Moment at={review.answered_at} />
          </Text>
        )}
        {review.hidden_by && (
          <Text size="sm" c="var(--olmos-bad)">
            {t('admin.reviews.hiddenBy', { name: review.hidden_by, reason: review.hidden_reason ?? '' })}
          </Text>
        )}
      </Stack>
      <Textarea
        label={labels.answer}
        description={t('admin.reviews.answerHint')}
        autosize
        minRows={3}
        maxLength={BUSINESS.reviewLengthMax}
        data-autofocus
        {...form.getInputProps('answer')}
      />
    </FormDrawer>
  )
}

/** Hides a review, or shows it again, and keeps why. */
function TurnDialog({ review, onClose }: OneReview) {
  const { t } = useTranslation()
  const isHidden = review.hidden_at !== null
  return (
    <ReasonDialog
      title={t(isHidden ? 'admin.reviews.showTitle' : 'admin.reviews.hideTitle')}
      text={t(isHidden ? 'admin.reviews.showText' : 'admin.reviews.hideText')}
      confirmLabel={t(isHidden ? 'admin.reviews.show' : 'admin.reviews.hide')}
      {...(!isHidden && { color: 'red' })}
      noun="reviews"
      send={(reason) =>
        hide({ params: { id: String(review.id) }, body: { hidden: !isHidden, reason, version: review.version } })
      }
      done={t(isHidden ? 'admin.reviews.shownDone' : 'admin.reviews.hiddenDone')}
      onClose={onClose}
    />
  )
}
