import { SegmentedControl, type SegmentedControlProps } from '@mantine/core'
import { useTranslation } from '../../i18n/use-translation.ts'

interface ViewSwitchProps<View extends string> extends Pick<SegmentedControlProps, 'mb'> {
  options: readonly { value: View; label: string }[]
  shown: View
  onShow(view: View): void
}

/** Switches between the views of a tab. */
export function ViewSwitch<View extends string>({ options, shown, onShow, mb }: ViewSwitchProps<View>) {
  const { t } = useTranslation()
  return (
    <SegmentedControl aria-label={t('admin.list.view')} mb={mb} value={shown} onChange={onShow} data={[...options]} />
  )
}
