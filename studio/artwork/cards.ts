import type { Card } from './card.ts'
import { brilliant, step } from './cuts.ts'
import { brandMarks, ownEmblems } from './emblems.ts'
import { cushion, drop, octagon, round, shield } from './outlines.ts'

const MIDDLE = { x: 400, y: 300 }
const WHITE = ['#ffffff', '#e4e9f7'] as const
const GOLD = ['#fff3c4', '#f5b52e'] as const

/** Every product is a stone of its own colour and cut. */
export const cards: Card[] = [
  {
    slug: 'roblox',
    stone: step(octagon(0.92, 0.92, 0.34)),
    palette: { tones: ['#4a0310', '#97081f', '#dd1f34', '#ff6a63', '#ffd9cf'], fire: '#ffb26b' },
    placing: { at: MIDDLE, radius: 227, turn: { tip: -0.36, pan: 0.3, roll: 0.12 }, seed: 11 },
    sky: { lit: '#a3122c', far: '#26040f' },
    emblem: { path: brandMarks.roblox, size: 0.43, face: WHITE },
  },
  {
    slug: 'fortnite',
    stone: step(octagon(0.76, 1, 0.3)),
    palette: { tones: ['#1c0b4f', '#4a1fa8', '#8245ee', '#b98cff', '#efe4ff'], fire: '#6fd3ff' },
    placing: { at: MIDDLE, radius: 240, turn: { tip: -0.3, pan: -0.34, roll: -0.06 }, seed: 23 },
    sky: { lit: '#5a2bd0', far: '#120638' },
    emblem: { path: brandMarks.fortnite, size: 0.54, face: WHITE },
  },
  {
    slug: 'mobile-legends',
    stone: brilliant(shield(12)),
    palette: { tones: ['#0a1452', '#1b35a8', '#3a66f0', '#86adff', '#e2ecff'], fire: '#9df3ff' },
    placing: { at: MIDDLE, radius: 242, turn: { tip: -0.28, pan: 0.24, roll: 0 }, seed: 31 },
    sky: { lit: '#23399f', far: '#070b2c' },
    emblem: { path: ownEmblems.crossedBlades, size: 0.42, face: GOLD },
  },
  {
    slug: 'genshin-impact',
    stone: brilliant(round(16)),
    palette: { tones: ['#043a44', '#0a7278', '#1fb3a6', '#7fe6cf', '#e6fff4'], fire: '#d9fff2' },
    placing: { at: MIDDLE, radius: 231, turn: { tip: -0.34, pan: -0.26, roll: 0.1 }, seed: 41 },
    sky: { lit: '#0f7f86', far: '#04222e' },
    emblem: { path: ownEmblems.compassStar, size: 0.51, face: WHITE },
  },
  {
    slug: 'valorant',
    stone: step(round(6)),
    palette: { tones: ['#5a0f25', '#b3203d', '#ff4655', '#ff9a94', '#ffe6df'], fire: '#ffd0a8' },
    placing: { at: MIDDLE, radius: 238, turn: { tip: -0.32, pan: 0.3, roll: 0.52 }, seed: 53 },
    sky: { lit: '#2b4358', far: '#0c151d' },
    emblem: { path: brandMarks.valorant, size: 0.45, face: WHITE },
  },
  {
    slug: 'playstation',
    stone: brilliant(cushion(16, 3)),
    palette: { tones: ['#021f5c', '#0646b4', '#1277f2', '#6db6ff', '#e0f1ff'], fire: '#9ef0ff' },
    placing: { at: MIDDLE, radius: 214, turn: { tip: -0.34, pan: -0.3, roll: 0 }, seed: 61 },
    sky: { lit: '#0a55c4', far: '#03123c' },
    emblem: { path: brandMarks.playstation, size: 0.54, face: WHITE },
  },
  {
    slug: 'itunes',
    stone: brilliant(round(20)),
    palette: { tones: ['#4c0a55', '#a11a90', '#ee3fae', '#ff8fc4', '#ffe8f4'], fire: '#8fd0ff' },
    placing: { at: MIDDLE, radius: 231, turn: { tip: -0.3, pan: 0.28, roll: 0.05 }, seed: 73 },
    sky: { lit: '#b3279c', far: '#260a3d' },
    emblem: { path: brandMarks.itunes, size: 0.46, face: WHITE },
  },
  {
    slug: 'telegram',
    stone: brilliant(round(14)),
    palette: { tones: ['#04477d', '#0a86cf', '#1fb0f5', '#86dcff', '#ecfaff'], fire: '#c9c0ff' },
    placing: { at: MIDDLE, radius: 231, turn: { tip: -0.36, pan: -0.22, roll: 0.2 }, seed: 83 },
    sky: { lit: '#1297e0', far: '#042640' },
    emblem: { path: brandMarks.telegram, size: 0.44, face: WHITE },
  },
  {
    slug: 'pubg',
    stone: step(octagon(1, 0.8, 0.32)),
    palette: { tones: ['#4a2603', '#9a5a06', '#eb9a12', '#ffcd5c', '#fff3cf'], fire: '#ff7a3d' },
    placing: { at: MIDDLE, radius: 242, turn: { tip: -0.34, pan: 0.28, roll: 0.03 }, seed: 97 },
    sky: { lit: '#8a5510', far: '#1f1206' },
    emblem: { path: brandMarks.pubg, size: 0.56, face: WHITE },
  },
  {
    slug: 'freefire',
    stone: brilliant(drop(16)),
    palette: { tones: ['#5c1003', '#b5300a', '#f7631b', '#ffa850', '#fff0cc'], fire: '#ffe04a' },
    placing: { at: { x: 400, y: 314 }, radius: 231, turn: { tip: -0.3, pan: -0.28, roll: 0 }, seed: 101 },
    sky: { lit: '#b8400f', far: '#2b0a08' },
    emblem: { path: ownEmblems.flame, size: 0.46, face: ['#fffdf2', '#ffe6b0'] },
  },
  {
    slug: 'freefire-codes',
    stone: step(octagon(1, 0.76, 0.3)),
    palette: { tones: ['#3d0b4f', '#86207f', '#e0476b', '#ff9161', '#ffe9cf'], fire: '#ffd24a' },
    placing: { at: MIDDLE, radius: 242, turn: { tip: -0.32, pan: 0.26, roll: -0.04 }, seed: 113 },
    sky: { lit: '#9c2c4e', far: '#240a2c' },
    emblem: { path: ownEmblems.flameTicket, size: 0.56, face: ['#fffdf2', '#ffe6b0'] },
  },
  {
    slug: 'steam',
    stone: brilliant(cushion(12, 2.6)),
    palette: { tones: ['#0b1c33', '#1c4166', '#3f7fb0', '#8fc4e6', '#e8f6ff'], fire: '#7df0e0' },
    placing: { at: MIDDLE, radius: 220, turn: { tip: -0.34, pan: 0.24, roll: 0.26 }, seed: 127 },
    sky: { lit: '#2a5377', far: '#0a1420' },
    emblem: { path: brandMarks.steam, size: 0.46, face: WHITE },
  },
  {
    // For what has no picture of its own, or one that is gone.
    slug: 'anything',
    stone: brilliant(round(16)),
    palette: { tones: ['#121a2a', '#2a3753', '#5a6f96', '#9fb2d3', '#edf3ff'], fire: '#8fd0ff' },
    placing: { at: MIDDLE, radius: 227, turn: { tip: -0.32, pan: 0.2, roll: 0.1 }, seed: 139 },
    sky: { lit: '#2a3753', far: '#0b101b' },
    emblem: { path: ownEmblems.diamond, size: 0.46, face: WHITE },
  },
]
