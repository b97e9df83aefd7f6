import { SERVER_LIMITS } from '../../src/limits.ts'

/** Loaded before a store: what it ends with has no time, and vendors have more than a node has to end. */
Object.assign(SERVER_LIMITS, { endWithinMs: 200, vendorTimeoutMs: 60_000, deliveryLeaseSeconds: 600 })
