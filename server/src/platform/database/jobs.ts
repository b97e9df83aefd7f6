import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'

/** Timed work. It runs on one node at a time, however many nodes there are; an error is logged and retried. */
export interface Job {
  name: string
  /** Minute, hour, day of month, month, day of week. */
  cron: string
  /** The IANA name of the time zone the cron expression is read in. */
  timeZone: string
  run(): Promise<void>
}

export interface Jobs {
  isRunning(): boolean
  /** Stops the schedule and waits for jobs under way. */
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
