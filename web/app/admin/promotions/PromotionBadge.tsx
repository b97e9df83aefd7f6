import { badgeStyle } from '../../features/promotions/badge-style.ts'

/** As the home page shows it. */
export function PromotionBadge({ text, color }: { text: string; color: string }) {
  return <span style={{ ...badgeStyle(color), display: 'inline-block' }}>{text}</span>
}
