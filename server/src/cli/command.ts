import type { Config } from '../config.ts'
import type { Database } from '../platform/database.ts'

/** What a command works on and talks to. */
export interface Terminal {
  config: Config
  database: Database
  print(line: string): void
  /** Replaces the line before, where there is a screen. */
  progress(line: string): void
}

export interface Command {
  /** One line of the help. */
  summary: string
  /** What the help calls the one word that it needs, where it needs one. */
  argument?: string
  /** Resolves to the exit code. */
  run(terminal: Terminal, argument: string): Promise<number>
}
