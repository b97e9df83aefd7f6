/** Settings PostgreSQL runs with. Given on its command line, so that nothing in the data folder overrides them. */
export type Settings = Record<string, string>

/** For a small store on a machine that PostgreSQL shares with the server. */
export const defaultSettings: Settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  cluster_name: 'olmos',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and the details of errors hold customers' data, which doesn't belong into a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}
