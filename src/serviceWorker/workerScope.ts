/** What a service worker has and a page has not, as far as ours uses it. TypeScript describes either, never both. */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  /** The reply that was asked for while the worker started; `undefined` for browsers that do not do that. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(reply: Promise<Response>): void
}

export interface PushEvent extends ExtendableEvent {
  readonly data: { text(): string } | null
}

export interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification
  /** The button that was pressed; '' for the notification itself. */
  readonly action: string
}

interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
}

interface WorkerEvents {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  push: PushEvent
  notificationclick: NotificationEvent
}

/** What TypeScript's own options of a notification lack. */
export interface ShownNotification extends NotificationOptions {
  actions?: { action: string; title: string }[]
  renotify?: boolean
  timestamp?: number
}

export interface WorkerScope {
  readonly location: { readonly href: string; readonly origin: string }
  readonly registration: Pick<ServiceWorkerRegistration, 'navigationPreload' | 'unregister'> & {
    /** Older browsers have none. */
    readonly pushManager?: { getSubscription(): Promise<object | null> }
    showNotification(title: string, options?: ShownNotification): Promise<void>
  }
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void
}
