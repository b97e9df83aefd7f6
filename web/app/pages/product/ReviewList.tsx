import '../../i18n/all-texts.ts'
import type { Review, reviewsApi } from '@olmos/contract/reviews'
import { useInfiniteQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { onlyOnce } from '../../api/only-once.ts'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { formatDay, toLocalDay } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Press } from '../../ui/Press.tsx'
import { Stars } from '../../ui/Stars.tsx'
import classes from './ReviewList.module.css'

const reviews = caller<typeof reviewsApi.shown>('GET /products/slug/:slug/reviews')

/** Reviews of a product, newest first, a page more at a time. */
const useReviews = (slug: string) =>
  useInfiniteQuery({
    queryKey: queryKeys.reviews(slug),
    queryFn: ({ pageParam }) => reviews({ params: { slug }, query: { page: String(pageParam) } }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * last.page_size < last.total ? pages.length + 1 : undefined),
    select: ({ pages }) => onlyOnce(pages.flatMap((page) => page.reviews)),
    staleTime: 0,
  })

export function ReviewList({ slug }: { slug: string }) {
  const { t } = useTranslation()
  const query = useReviews(slug)
  const { hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError, refetch } = query
  const retry = () => (isFetchNextPageError ? fetchNextPage() : refetch())
  const failed = <QueryFailed look="line" title={t('reviews.failed')} query={query} onRetry={retry} />
  return (
    <QueryView query={query} skeleton={null} failed={failed}>
      {(shown) => (
        <>
          <ul className={classes.list}>
            {shown.map((review) => (
              <ReviewEntry key={review.id} review={review} />
            ))}
          </ul>
          {isFetchNextPageError && failed}
          {hasNextPage && !isFetchNextPageError && (
            <Press look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
              {t('reviews.more')}
            </Press>
          )}
        </>
      )}
    </QueryView>
  )
}

/** What a buyer wrote is text and nothing else, in whichever direction it runs. */
function ReviewEntry({ review }: { review: Review }) {
  const { t } = useTranslation()
  return (
    <li className={classes.review}>
      <p className={classes.head}>
        <span className={classes.stars}>
          <Stars filled={review.stars} />
          <span className="visually-hidden">{t('reviews.stars', { stars: review.stars })}</span>
        </span>
        <bdi translate="no">{review.author}</bdi>
        <Day at={review.created_at} />
        {review.changed_at && (
          <span>
            {t('reviews.changed')} <Day at={review.changed_at} />
          </span>
        )}
      </p>
      {review.text !== '' && (
        <p className={classes.text} dir="auto">
          {review.text}
        </p>
      )}
      {review.answer !== null && (
        <div className={classes.answer}>
          <p className={classes.from}>{t('reviews.answer')}</p>
          <p className={classes.text} dir="auto">
            {review.answer}
          </p>
        </div>
      )}
    </li>
  )
}

function Day({ at }: { at: string }) {
  return <time dateTime={at}>{formatDay(toLocalDay(new Date(at)), useLanguage())}</time>
}
