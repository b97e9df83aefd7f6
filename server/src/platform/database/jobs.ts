import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'

/** Timed work. Runs on one node at a time, whatever the number of nodes; an error is tried again and logged. */
export interface Job {
  name: string
  /** Minute, hour, day, month, weekday. */
  cron: string
  /** IANA name; the cron is read in it. */
  timeZone: string
  run(): Promise<void>
}

export interface Jobs {
  isRunning(): boolean
  /** Waits for what is under way. */
  stop(): Promise<void>
}

const connections = 3
const stopWithinMs = 10_000

export async function startJobs(databaseUrl: string, jobs: readonly Job[], log: FastifyBaseLogger): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: connections, schema: 'pgboss' })
  let isRunning = false
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  boss.on('stopped', () => {
    isRunning = false
  })
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name, { retryLimit: 5, retryBackoff: true })
    await boss.schedule(job.name, job.cron, {}, { tz: job.timeZone })
    await boss.work(job.name, async () => {
      await job.run()
      log.info({ job: job.name }, 'job done')
    })
  }
  isRunning = true
  return {
    isRunning: () => isRunning,
    stop: () => boss.stop({ graceful: true, timeout: stopWithinMs }),
  }
}
