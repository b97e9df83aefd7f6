import type { PaymentMark } from '@olmos/contract/orders'

/** Plain drawings with two cut corners; nobody's logo: the name beside one says whose method it is. */
const drawings: Record<PaymentMark, string> = {
  card: 'M3 8l3-3h15v11l-3 3H3zM3 10h18M7 15h4',
  sbp: 'M3 9h16l-4-4M21 15H5l4 4',
  payme: 'M6 6l3-3h9v15l-3 3H6zM9.5 12l2 2 3.5-4',
  click: 'M9 9l11 4-5 2-2 5zM8 3v2M3 8h2M4.5 4.5L6 6',
  crypto: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 8l3 4-3 4-3-4z',
  sandbox: 'M9 3h6M10 3v6L5 18l2 3h10l2-3-5-9V3M8 14h8',
  sandbox_soums: 'M9 3h6M10 3v6L5 18l2 3h10l2-3-5-9V3M8 14h8',
}

interface MethodGlyphProps {
  mark: PaymentMark
  size?: number
}

/** The picture of a way to pay. It says nothing to screen readers, as the name stands beside it. */
export const MethodGlyph = ({ mark, size = 20 }: MethodGlyphProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinejoin="round"
    strokeLinecap="round"
    aria-hidden
  >
    <path d={drawings[mark]} />
  </svg>
)
