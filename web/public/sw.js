// Shows the shop's own page when the network is gone. It keeps that page and nothing else: what a customer sees stays
// with the customer, and prices stay those of the store.
const kept = 'offline'
const offlinePage = '/offline.html'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.add(offlinePage)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  const orOffline = async () => (await caches.match(offlinePage)) ?? Response.error()
  event.respondWith(fetch(event.request).catch(orOffline))
})
