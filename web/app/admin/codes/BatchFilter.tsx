import { Button, CloseButton, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { recallParam } from '../code-recall/recall.queries.ts'
import type { ListView } from '../list/use-list-view.ts'

/** The import that a list is narrowed to, and the way to its recall. */
export function BatchFilter({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const batch = view.filter('batch')
  if (!batch) return null
  return (
    <>
      <TextInput
        label={t('admin.codes.batch')}
        value={batch}
        readOnly
        w={110}
        rightSection={
          <CloseButton aria-label={t('admin.codes.allBatches')} onClick={() => view.change({ batch: '' })} />
        }
      />
      <Button component={Link} to={`${paths.admin('codes')}?${recallParam}=${batch}`} variant="default">
        {t('admin.recall.open')}
      </Button>
    </>
  )
}
