import type { PaymentMark } from '@olmos/contract/orders'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MethodGlyph } from './MethodGlyph.tsx'
import classes from './PayMarks.module.css'

/** The ways to pay, side by side. */
export function PayMarks({ marks }: { marks: readonly PaymentMark[] }) {
  const { t } = useTranslation()
  return (
    <span className={classes.marks}>
      {marks.map((mark) => (
        <span key={mark} className={classes.mark}>
          <MethodGlyph mark={mark} size={16} />
          {t(`payMark.${mark}`)}
        </span>
      ))}
    </span>
  )
}
