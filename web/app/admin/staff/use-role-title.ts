import type { RoleName } from '@olmos/contract/staff'
import { useTranslation } from '../../i18n/use-translation.ts'

/** What a role is called here: built-in ones have a name in every language. */
export function useRoleTitle(): (role: RoleName) => string {
  const { t } = useTranslation()
  return ({ built_in, name }) => (built_in ? t(`admin.staff.roles.${built_in}`) : (name ?? ''))
}
