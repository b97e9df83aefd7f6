import * as real from '../../server/src/platform/http/http.ts'

export * from '../../server/src/platform/http/http.ts'

/** Tells what is not there, and where that was noticed. */
export const createHttp: typeof real.createHttp = (logger, options) => {
  const app = real.createHttp(logger, options)
  app.addHook('onSend', async (_request, reply, payload) =>
    reply.statusCode === 404 ? JSON.stringify({ error: `${new Error('nothing there').stack}` }) : payload,
  )
  return app
}
