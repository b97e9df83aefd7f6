/** A start that cannot go on. The message is one sentence for whoever runs the store; it is shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
