import { checkInvariants, proveLedger, toSums } from '../../server/src/modules/proof/ledger-proof.ts'
import type { TestShop } from '../../server/test/shop.ts'
import { rollChance } from '../random.ts'
import type { Wire, WireAnswer } from '../wire.ts'
import { drawRequest } from './draw.ts'
import { type Fault, judgeAnswer } from './judge.ts'
import { listOperations, type Operation } from './operations.ts'
import { type FuzzRequest, toCurl } from './request.ts'
import { aFuzzWorld, type FuzzWorld } from './world.ts'

export interface FuzzOptions {
  requests: number
  seed: number
  /** How many are on their way at once. */
  atOnce: number
}

export interface Finding {
  fault: Fault
  what: string
  /** Which request of the run it was. */
  number: number
  request: FuzzRequest
}

export interface FuzzResult {
  sent: number
  operations: number
  /** Operations that were answered with a success at least once, by those who may. */
  succeeded: ReadonlySet<string>
  byStatus: ReadonlyMap<number, number>
  byMethod: ReadonlyMap<string, number>
  byCaller: ReadonlyMap<string, number>
  documentedFailures: ReadonlyMap<string, number>
  findings: Finding[]
  /** How often the callers were replaced, besides once in each stretch. */
  endedWorlds: number
  brokenInvariants: string[]
  invariants: number
  seconds: number
}

/** A world is worn out by then: what it had was bought, deleted or renamed. */
const stretch = 400

/**
 * Sends so many requests at the store behind the wire, whose database `shop` is a node of, and holds every answer against
 * what is promised. What a request is follows from the seed and its number alone, but for the ids in it.
 */
export async function fuzz(
  { requests, seed, atOnce }: FuzzOptions,
  shop: TestShop,
  wire: Wire<FuzzRequest>,
  watch: (share: number, sent: number) => void = () => {},
): Promise<FuzzResult> {
  const begun = performance.now()
  const operations = await describedBy(wire)
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  const tally = {
    byStatus: new Map<number, number>(),
    byMethod: new Map<string, number>(),
    byCaller: new Map<string, number>(),
    documentedFailures: new Map<string, number>(),
  }
  const succeeded = new Set<string>()
  const findings: Finding[] = []
  let endedWorlds = 0
  let sent = 0

  const sendOne = async (number: number, world: FuzzWorld) => {
    // Numbers next to each other must not begin alike.
    const chance = rollChance(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
    const request = await drawRequest(operations, world, chance)
    const answer = await wire.send(request)
    sent++
    const { complaints, documentedFailure } = await judgeAnswer(request, answer, byName, world)
    findings.push(...complaints.map((complaint) => ({ ...complaint, number, request })))
    count(tally.byStatus, answer?.status ?? 0)
    count(tally.byMethod, request.method)
    count(tally.byCaller, request.caller)
    if (documentedFailure !== undefined) count(tally.documentedFailures, documentedFailure)
    if (answer && answer.status < 300 && byName.has(request.call)) succeeded.add(request.call)
    if (answer && isEnded(request, answer, byName)) world.isOver = true
  }

  for (let number = 0; number < requests; ) {
    const world = await aFuzzWorld(shop)
    const end = Math.min(requests, number + stretch)
    const work = async () => {
      while (number < end && !world.isOver) {
        await sendOne(number++, world)
        watch(number / requests, sent)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    if (world.isOver) endedWorlds++
  }
  const { brokenInvariants, invariants } = await inspect(shop)
  const seconds = (performance.now() - begun) / 1_000
  return {
    sent,
    operations: operations.length,
    succeeded,
    ...tally,
    findings,
    endedWorlds,
    brokenInvariants,
    invariants,
    seconds,
  }
}

const count = <T>(tally: Map<T, number>, key: T) => tally.set(key, (tally.get(key) ?? 0) + 1)

async function describedBy(wire: Wire<FuzzRequest>): Promise<Operation[]> {
  const question = { call: '', caller: 'nobody', method: 'GET', headers: {}, body: undefined, mutations: [] } as const
  const answer = await wire.send({ ...question, path: '/api/openapi.json' })
  return listOperations(JSON.parse(answer?.text ?? ''))
}

/** Somebody who was logged in is not any more. */
function isEnded(
  { call, caller, headers }: FuzzRequest,
  { status, text }: WireAnswer,
  operations: ReadonlyMap<string, Operation>,
) {
  const isSentAsIs = caller !== 'nobody' && /^Bearer [\w-]{40,50}$/.test(String(headers.authorization))
  return isSentAsIs && operations.get(call)?.isProtected === true && status === 401 && text.includes('UNAUTHENTICATED')
}

/** The invariants and the ledger as they are now that nobody is at work. */
function inspect({ database }: TestShop) {
  return database.snapshot(async (queries) => {
    const results = await checkInvariants(queries)
    const { accounts, firstBroken } = await proveLedger(queries)
    const sums = Object.entries(toSums(accounts)).filter(([, sum]) => sum !== 0)
    return {
      invariants: results.length,
      brokenInvariants: [
        ...results
          .filter(({ offenders }) => offenders > 0)
          .map(({ number, name, offenders, sample }) => `${number} ${name}: ${offenders}, like ${sample.join(', ')}`),
        ...sums.map(([currency, sum]) => `the ledger sums to ${sum} in ${currency}`),
        ...(firstBroken ? [`transfer ${firstBroken.id} does not add up`] : []),
      ],
    }
  })
}

/** The finding as it is printed: what, and a line for a shell that asks the same. */
export const sayFinding = ({ fault, what, number, request }: Finding): string =>
  [
    `${fault}: ${what}`,
    `  request ${number}, ${request.call} as ${request.caller} (${request.mutations.join('; ') || 'as it should be'})`,
    `  ${toCurl(request).slice(0, 4_000)}`,
  ].join('\n')
