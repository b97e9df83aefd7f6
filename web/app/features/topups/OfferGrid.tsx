import { Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { PagePager } from '../../i18n/PagePager.tsx'
import { WEB_LIMITS } from '../../limits.ts'
import classes from './OfferGrid.module.css'

interface OfferGridProps<Offer> {
  offers: readonly Offer[]
  render(offer: Offer): ReactNode
}

/** Three by three to a page. */
export function OfferGrid<Offer>({ offers, render }: OfferGridProps<Offer>) {
  const [wanted, setWanted] = useState(1)
  const pages = Math.max(1, Math.ceil(offers.length / WEB_LIMITS.gridPageSize))
  const page = Math.min(wanted, pages)
  return (
    <>
      <div className={classes.grid}>
        {offers.slice((page - 1) * WEB_LIMITS.gridPageSize, page * WEB_LIMITS.gridPageSize).map(render)}
      </div>
      <PagePager page={page} pages={pages} onChange={setWanted} hasDots />
    </>
  )
}

export function OfferGridSkeleton() {
  return (
    <div className={classes.grid} aria-hidden>
      {Array.from({ length: WEB_LIMITS.gridPageSize }, (_, index) => (
        <Skeleton key={index} h={92} radius="md" />
      ))}
    </div>
  )
}
