import { Button, Group, Text, Textarea } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import type { Receipt } from '@olmos/contract/orders'
import type { ReviewedItem } from '@olmos/contract/reviews'
import type { TFunction } from 'i18next'
import { useId, useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Stars } from '../../ui/Stars.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import classes from './ItemReview.module.css'
import { useOwnReview, useWithdrawReview, useWriteReview } from './reviews.queries.ts'

interface ItemReviewProps {
  orderId: string
  item: Pick<Receipt['items'][number], 'id' | 'status'>
}

/** Asks the buyer of a delivered line, quietly, how it was; what they said can be changed or withdrawn for a while. */
export function ItemReview({ orderId, item }: ItemReviewProps) {
  if (item.status !== 'delivered' && item.status !== 'refunded') return null
  return <OwnReview orderId={orderId} itemId={item.id} />
}

/** Says why a review can't be written, changed or withdrawn, and what is left to do. */
function refusalText(t: TFunction, error: unknown): string {
  if (isConflict(error, 'review_closed')) return t('reviews.closed')
  if (isConflict(error, 'review_not_delivered')) return t('reviews.refunded')
  return failureText(t, error)
}

interface Place {
  orderId: string
  itemId: number
}

function OwnReview({ orderId, itemId }: Place) {
  const known = useOwnReview(orderId, itemId)
  const [isEditing, setEditing] = useState(false)
  // It is a decoration of the receipt: one that can't be loaded says nothing.
  if (!known) return null
  // Who is refused in the middle of changing it keeps what was typed.
  const isForm = isEditing || (known.can_write && !known.review)
  return (
    <div className={`${classes.review} no-print`}>
      {isForm && <ReviewForm place={{ orderId, itemId }} known={known} onClose={() => setEditing(false)} />}
      {!isForm && known.review && (
        <WrittenReview
          place={{ orderId, itemId }}
          review={known.review}
          {...(known.can_write && { onEdit: () => setEditing(true) })}
        />
      )}
    </div>
  )
}

const choices = [1, 2, 3, 4, 5]

interface ReviewFormProps {
  place: Place
  known: ReviewedItem
  onClose(): void
}

/** Five stars, and once one is chosen, room for words. */
function ReviewForm({ place, known: { review }, onClose }: ReviewFormProps) {
  const { t } = useTranslation()
  const name = useId()
  const [stars, setStars] = useState(review?.stars ?? 0)
  const [text, setText] = useState(review?.text ?? '')
  const write = useWriteReview(place.orderId, place.itemId)
  // What was written takes the place of this form, with which the callbacks of `mutate` would be gone.
  const send = () =>
    write.mutateAsync({ stars, text }).then(
      () => {
        toastSuccess(t('reviews.sent'))
        onClose()
      },
      (error) => toastError(refusalText(t, error)),
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <fieldset className={classes.stars}>
        <legend className={classes.legend}>{t('reviews.rate')}</legend>
        <div className={classes.row}>
          {choices.map((choice) => (
            <label key={choice} className={classes.star}>
              <input type="radio" name={name} checked={stars === choice} onChange={() => setStars(choice)} />
              <Stars filled={choice <= stars ? 1 : 0} total={1} />
              <span className="visually-hidden">{t('reviews.stars', { stars: choice })}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {stars > 0 && (
        <>
          <Textarea
            label={t('reviews.text')}
            description={t('reviews.textHint')}
            autosize
            minRows={2}
            maxLength={BUSINESS.reviewLengthMax}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group mt="sm" gap="xs">
            <Button type="submit" variant="default" loading={write.isPending}>
              {t('reviews.send')}
            </Button>
            {review && (
              <Button variant="subtle" onClick={onClose}>
                {t('reviews.cancel')}
              </Button>
            )}
          </Group>
        </>
      )}
    </form>
  )
}

interface WrittenReviewProps {
  place: Place
  review: NonNullable<ReviewedItem['review']>
  /** Left out when its time is over. */
  onEdit?(): void
}

function WrittenReview({ place, review, onEdit }: WrittenReviewProps) {
  const { t } = useTranslation()
  const withdraw = useWithdrawReview(place.orderId, place.itemId)
  const [isOpen] = useState(() => Date.parse(review.open_until) > Date.now())
  const takeBack = () =>
    withdraw.mutateAsync().then(
      () => toastSuccess(t('reviews.withdrawn')),
      (error) => toastError(refusalText(t, error)),
    )
  return (
    <>
      <Group gap="xs">
        <Text fw="var(--olmos-firm)">{t('reviews.own')}</Text>
        <span>
          <Stars filled={review.stars} />
          <span className="visually-hidden">{t('reviews.stars', { stars: review.stars })}</span>
        </span>
      </Group>
      {review.text !== '' && (
        <p className={classes.text} dir="auto">
          {review.text}
        </p>
      )}
      {review.is_hidden && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('reviews.hidden')}
        </Text>
      )}
      {review.answer !== null && (
        <>
          <Text size="sm" fw="var(--olmos-firm)" mt="xs">
            {t('reviews.answer')}
          </Text>
          <p className={classes.text} dir="auto">
            {review.answer}
          </p>
        </>
      )}
      {isOpen && (
        <Group gap="xs" mt="xs">
          {onEdit && (
            <Button variant="default" onClick={onEdit}>
              {t('reviews.edit')}
            </Button>
          )}
          <Button variant="default" onClick={takeBack} loading={withdraw.isPending}>
            {t('reviews.withdraw')}
          </Button>
        </Group>
      )}
    </>
  )
}
