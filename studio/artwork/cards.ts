import type { Card } from './card.ts'
import { girdles } from './outlines.ts'

type Girdle = keyof typeof girdles
type Row = [
  slug: string,
  color: string,
  girdle: Girdle,
  stone: [x: number, y: number, radius: number, turn: number],
  table: [size: number, x: number, y: number],
  word: Card['unit']['word'],
  unit: [x: number, y: number, height: number],
]

/** Every product has a stone, a crop and a unit of its own; no two are composed alike. */
const rows: Row[] = [
  ['pubg', '#f2a81d', 'emerald', [470, 250, 520, -24], [0.5, 0.04, -0.06], ['U', 'C'], [64, 150, 520]],
  ['steam', '#2f7de1', 'round', [560, 330, 430, 12], [0.56, -0.05, -0.06], ['₽'], [290, 70, 560]],
  ['freefire', '#ff5a1f', 'pear', [420, 330, 430, 28], [0.5, 0, 0.06], 'rhomb', [170, 30, 620]],
  ['freefire-codes', '#ff3d6e', 'marquise', [380, 300, 480, -42], [0.52, 0, 0], 'rhomb', [330, 70, 640]],
  ['roblox', '#e8e8e4', 'square', [420, 260, 520, 18], [0.55, 0.04, 0.04], ['R', '$'], [70, 130, 480]],
  ['fortnite', '#7c3bff', 'baguette', [420, 280, 500, 34], [0.5, -0.06, 0.1], ['V'], [170, -60, 760]],
  ['mobile-legends', '#3457e8', 'shield', [400, 290, 440, -12], [0.54, 0, -0.04], 'jewel', [120, 90, 560]],
  ['genshin-impact', '#2fb6a8', 'star', [470, 300, 480, 9], [0.46, 0, 0], 'crystal', [110, 20, 640]],
  ['valorant', '#ff4655', 'hexagon', [330, 310, 480, 30], [0.48, 0.08, 0], ['V', 'P'], [90, 120, 460]],
  ['playstation', '#0a5cd6', 'rounder', [250, 420, 560, 8], [0.6, 0, 0], ['$'], [190, 70, 580]],
  ['itunes', '#ff3d9a', 'tablet', [470, 300, 470, -14], [0.5, 0, 0], ['₸'], [230, 120, 560]],
  ['telegram', '#23a6f0', 'arrow', [400, 310, 500, -36], [0.45, 0.05, 0], ['1', '2'], [90, 110, 480]],
  ['mobile-legends-topup', '#6a55f2', 'side', [400, 310, 470, 10], [0.5, 0, -0.18], 'jewel', [300, 120, 640]],
  ['honor-of-kings-topup', '#b81e3a', 'rounder', [430, 280, 430, 18], [0.54, 0, 0], 'coin', [260, 120, 560]],
  ['brawl-stars-topup', '#ffc917', 'star', [400, 290, 520, 20], [0.5, 0, 0], 'gem', [110, 60, 580]],
  ['valorant-topup', '#d9304a', 'kite', [470, 320, 520, -52], [0.42, 0, 0], ['V', 'P'], [110, 170, 540]],
  ['standoff2-topup', '#8a93a6', 'emerald', [400, 320, 500, 62], [0.52, 0, 0], ['G'], [230, 70, 600]],
  ['call-of-duty-mobile-topup', '#87923a', 'shard', [380, 300, 520, 22], [0.48, 0, 0], ['C', 'P'], [90, 100, 490]],
  ['telegram-stars', '#5ac8fa', 'round', [330, 360, 520, 22], [0.5, 0, 0], 'star', [150, 40, 600]],
  ['arena-breakout-topup', '#c2602a', 'tablet', [330, 250, 520, 38], [0.5, 0, 0], ['B'], [270, 90, 580]],
  ['delta-force-topup', '#12c98a', 'trillion', [430, 310, 500, 14], [0.44, 0, 0.08], ['D', 'C'], [70, 150, 470]],
  ['genshin-topup', '#46bd5c', 'kite', [380, 300, 500, 24], [0.44, 0, 0], 'crystal', [250, 110, 700]],
  ['honkai-star-rail-topup', '#8f7bff', 'marquise', [420, 300, 500, 28], [0.48, 0, 0], 'shards', [120, 30, 620]],
  ['wuthering-waves-topup', '#4a9893', 'pear', [420, 290, 500, -64], [0.46, 0, 0.04], 'moon', [120, 40, 560]],
  ['clash-of-clans-topup', '#63bd26', 'square', [360, 330, 520, -30], [0.5, 0, 0], 'gem', [300, 130, 640]],
  ['whiteout-survival-topup', '#86c2ea', 'hexagon', [420, 300, 500, 10], [0.5, 0, 0], 'frost', [160, 30, 560]],
  ['ea-fc-mobile-topup', '#93da1c', 'side', [420, 280, 520, -26], [0.5, 0, -0.1], ['F', 'C'], [80, 110, 500]],
  // For what has no picture of its own, or one that is gone.
  ['anything', '#6b7280', 'round', [400, 300, 430, 22], [0.5, 0, 0], 'jewel', [180, 110, 440]],
]

export const cards: Card[] = rows.map(([slug, color, girdle, [x, y, radius, turn], [size, dx, dy], word, unit]) => ({
  slug,
  color,
  girdle: girdles[girdle],
  stone: { at: { x, y }, radius, turn },
  table: { size, shift: { x: dx, y: dy } },
  unit: { word, at: { x: unit[0], y: unit[1] }, height: unit[2] },
}))
