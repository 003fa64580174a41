import { answerNavigation, removeIfGone } from './navigation.ts'
import { answerNotification, showPush } from './pushMessages.ts'
import { isShare, takeShare } from './share.ts'
import type { WorkerScope } from './workerScope.ts'

declare const self: WorkerScope

/**
 * The service worker of the console. It stores neither data nor scripts, so that nothing old can be shown as new, and no
 * page of one build gets scripts of another; only files that another app shares, until they are uploaded. Without a connection it answers with a page that says so; besides, it
 * shows the messages that this device gets. See docs/decisions/service-worker.md.
 */
self.addEventListener('install', () => void self.skipWaiting())

self.addEventListener('activate', (event) => {
  // Navigations do not wait for the worker to start.
  const preload = self.registration.navigationPreload?.enable()
  event.waitUntil(Promise.all([preload, self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  // Everything else goes its usual way.
  if (event.request.mode !== 'navigate') return
  if (isShare(event.request)) return event.respondWith(takeShare(event.request))
  event.respondWith(answerNavigation(event))
  event.waitUntil(removeIfGone(self))
})

self.addEventListener('push', (event) => event.waitUntil(showPush(self, event.data?.text() ?? '')))

self.addEventListener('notificationclick', (event) => event.waitUntil(answerNotification(self, event)))
