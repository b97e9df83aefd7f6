import 'react-dom/server'

/** A built web without pages: what it loads is what matters. */
export const routes = {}
export const entry = { module: {} }
