import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseServer } from '../database-server.ts'
import type { Chance } from '../random.ts'
import type { ServerProcess } from '../server-process.ts'
import type { Progress } from './crowd.ts'
import { shuffled } from './ways.ts'

export interface Mayhem {
  servers: readonly ServerProcess[]
  postgres: DatabaseServer
  progress: Progress
  chance: Chance
  wantedKills: Kills
  /** How much of the run is over, from 0 to 1: the kills are spread over it. */
  howFar(): number
  /** Lets the crowd go on up to that share of the run, so that it can't be through before the kills are. */
  allow(share: number): void
  /** Called after each kill, once what was killed is back. */
  afterKill(): Promise<void>
}

export interface Kills {
  server: number
  postgres: number
}

/** After this share of the run nothing is killed any more: there must be work left to be caught in. */
const lastKill = 0.8
/** So many carts, about, are bought between the moment that a kill is due and the kill. */
const cartsBetween = 10

/** Kills servers and PostgreSQL in the midst of the work, spread over the run in an order that chance makes. */
export async function wreakHavoc(mayhem: Mayhem): Promise<Kills> {
  const { servers, postgres, progress, chance, wantedKills } = mayhem
  const kills: Kills = { server: 0, postgres: 0 }
  const victims = pickVictims(wantedKills, chance)
  const moments = victims.map((_, index) => (lastKill * (index + 0.5 + 0.5 * chance.next())) / victims.length)
  mayhem.allow(moments[0] ?? 1)
  for (const [index, victim] of victims.entries()) {
    while (mayhem.howFar() < (moments[index] as number) && !progress.isOver) await sleep(10)
    mayhem.allow(moments[index + 1] ?? 1)
    await untilAtWork(progress, chance.between(cartsBetween - 2, cartsBetween + 2))
    await sleep(chance.between(0, 40))
    // With nobody at work a kill proves nothing, so it is not counted.
    if (progress.isOver) return kills
    if (victim === 'postgres') await postgres.crash()
    else await chance.pick(servers).kill(chance.between(0, 300))
    kills[victim]++
    await mayhem.afterKill()
  }
  return kills
}

/** PostgreSQL first: a server that starts makes it write down what it still owes the disk, and hides a lost commit. */
function pickVictims({ server, postgres }: Kills, chance: Chance): (keyof Kills)[] {
  const first: 'postgres'[] = postgres > 0 ? ['postgres'] : []
  const others = [
    ...Array<'server'>(server).fill('server'),
    ...Array<'postgres'>(postgres - first.length).fill('postgres'),
  ]
  return [...first, ...shuffled(others, chance)]
}

/** While the last victim came back the crowd may have stood still; caught like that it could lose nothing. */
async function untilAtWork(progress: Progress, carts: number): Promise<void> {
  const wanted = progress.cartsDone + carts
  while (progress.cartsDone < wanted && !progress.isOver) await sleep(2)
}
