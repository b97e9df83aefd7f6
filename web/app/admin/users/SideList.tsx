import { Box, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Pager } from '../../ui/Pager.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import type { ListPage } from '../list/use-admin-list.ts'
import { sidePageSize } from './users.queries.ts'

interface SideListProps<Row> {
  query: UseQueryResult<ListPage<Row>>
  page: number
  onPage(page: number): void
  empty: string
  rowKey(row: Row): string | number
  children(row: Row): ReactNode
}

/** A list within the view of one thing, page by page. */
export function SideList<Row>({ query, page, onPage, empty, rowKey, children }: SideListProps<Row>) {
  const { t } = useTranslation()
  const { data, error, isFetching, refetch } = query
  if (!data && error) return <ListFailed error={error} isBusy={isFetching} onRetry={refetch} />
  if (!data) return <Skeleton h={240} radius="lg" />
  if (data.data.length === 0) return <Text c="dimmed">{empty}</Text>
  const pages = Math.max(1, Math.ceil(data.total / sidePageSize))
  return (
    <>
      <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }} aria-busy={isFetching}>
        {data.data.map((row) => (
          <Box key={rowKey(row)} component="li" py="sm" style={{ borderTop: '1px solid var(--olmos-line)' }}>
            {children(row)}
          </Box>
        ))}
      </Stack>
      <Pager
        page={page}
        pages={pages}
        onChange={onPage}
        labels={{
          previous: t('pager.previous'),
          next: t('pager.next'),
          position: t('pager.position', { page, pages }),
        }}
      />
    </>
  )
}
