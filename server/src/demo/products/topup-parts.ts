import { type DemoField, type DemoService, inLanguages } from '../demo.ts'

/** Names a game of the sandbox's catalogue, whose fields are called as the demonstration's. */
export const atSandbox = (reference: string): DemoService => ({
  supplier: 'sandbox',
  reference,
  checkReference: reference,
})

/** Names a game of G2Bulk: `mlbb` is in the vendor's documents, the others are in its customers' code. */
export const atG2bulk = (reference: string, fieldNames: Record<string, string>): DemoService => ({
  supplier: 'g2bulk',
  reference,
  checkReference: reference,
  fieldNames,
})

/** Makes the field of a player's number, which has as many digits as the game gives it. */
export const userId = (lengthMin: number, lengthMax: number): DemoField => ({
  key: 'user_id',
  type: 'digits',
  labels: inLanguages('ID игрока', 'Player ID', 'Oʻyinchi ID raqami'),
  hints: inLanguages(
    'Цифры из профиля в игре',
    'Digits from the profile in the game',
    'Oʻyin profilingizdagi raqamlar',
  ),
  lengthMin,
  lengthMax,
})

/** A tag in the fourteen characters that Supercell uses for them, with its # or without. */
export const playerTag: DemoField = {
  key: 'player_tag',
  type: 'text',
  labels: inLanguages('Тег игрока', 'Player tag', 'Oʻyinchi tegi'),
  hints: inLanguages(
    'Под никнеймом в профиле, например #2PP0JCCL',
    'Under the name in the profile, such as #2PP0JCCL',
    'Profildagi nik ostida, masalan #2PP0JCCL',
  ),
  pattern: '#?[0289PYLQGRJCUVpylqgrjcuv]{3,14}',
  lengthMin: 3,
  lengthMax: 15,
}
