import { Box, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PagePager } from '../../i18n/PagePager.tsx'
import { Loaded } from '../list/ListFailed.tsx'
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
  return (
    <Loaded query={query} height={240}>
      {({ data, total }) => {
        if (data.length === 0) return <Text c="dimmed">{empty}</Text>
        const pages = Math.max(1, Math.ceil(total / sidePageSize))
        return (
          <>
            <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }} aria-busy={query.isFetching}>
              {data.map((row) => (
                <Box key={rowKey(row)} component="li" py="sm" style={{ borderTop: '1px solid var(--olmos-line)' }}>
                  {children(row)}
                </Box>
              ))}
            </Stack>
            <PagePager page={page} pages={pages} onChange={onPage} />
          </>
        )
      }}
    </Loaded>
  )
}
