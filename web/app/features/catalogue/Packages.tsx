import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Message } from '../../ui/Message.tsx'
import { PackageGrid, PackageGridSkeleton } from './PackageGrid.tsx'
import { PopularPackages } from './PopularPackages.tsx'
import type { PackageChoice } from './use-package-choice.ts'

interface PackagesProps {
  choice: PackageChoice
  /** False where nothing can be bought yet. */
  canBuy: boolean
}

/** The packages of the chosen region, one of which is chosen. */
export function Packages({ choice, canBuy }: PackagesProps) {
  const { t } = useTranslation()
  const { query, packages, chosen, page, turnTo, choose } = choice

  if (query.isPending) return <PackageGridSkeleton />
  if (query.isError && packages.length === 0) {
    return (
      <Message level={3} title={t('product.packagesFailed')}>
        <Button onClick={() => query.refetch()} loading={query.isFetching}>
          {t('loading.retry')}
        </Button>
      </Message>
    )
  }
  if (packages.length === 0) return <Message level={3} title={t('product.nothingToBuy')} />
  return (
    <>
      {canBuy && <PopularPackages choice={choice} />}
      <PackageGrid
        label={t('product.choosePackage')}
        packages={packages}
        chosen={canBuy ? chosen : undefined}
        page={page}
        onPage={turnTo}
        {...(canBuy && { onChoose: choose })}
      />
    </>
  )
}
