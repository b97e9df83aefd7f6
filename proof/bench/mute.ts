import { Notifier } from '../../server/src/platform/database/notify.ts'

// Loaded before a server that is measured without notifications.
Notifier.prototype.add = () => {}
