/** Loaded before every server of a run: it ends with the run, also when that is killed. */
process.channel?.unref()
process.on('disconnect', () => process.exit(1))
