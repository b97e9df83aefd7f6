import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // There are few: one short list with the page, instead of a call for every link that comes into view.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
