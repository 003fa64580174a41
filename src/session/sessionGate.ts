import { isSomebodyElse, type Person, setPerson } from './signedInUser.ts'
import { handOver, signOutHere } from './signOut.ts'
import { hearTabs, tellTabs } from './tabMessages.ts'
import { clearCookies } from './token.ts'

/**
 * Between the end of a session and the next sign-in no call leaves this tab: they wait here, and go on as if nothing
 * had happened. What a form holds is not lost, and nobody knocks with a token that counts as an attack.
 */
let gate: { opened: Promise<void>; open: () => void } | undefined

export interface SessionWatcher {
  /** The session has ended and nothing may use it any more; comes before any other call. */
  onEnd(): void
  /** The same person has signed in again. */
  onOpen(): void
}

const watchers = new Set<SessionWatcher>()
const listeners = new Set<() => void>()

/** Whether somebody has to sign in before any call leaves. */
export const isSessionOver = () => gate !== undefined

/** Calls `listener` when that changes. */
export function watchGate(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Resolves at once while there is a session, else when somebody has signed in. */
export const sessionOpen = (): Promise<void> => gate?.opened ?? Promise.resolve()

/** The server no longer takes this session, here and in all tabs. Resolves when somebody has signed in again. */
export function endSession(): Promise<void> {
  clearCookies()
  if (!gate) {
    close()
    for (const watcher of watchers) watcher.onEnd()
    tellTabs({ type: 'ended' })
  }
  return sessionOpen()
}

/**
 * Somebody has signed in at this tab. The same person goes on where the session ended; anybody else gets the page
 * anew.
 */
export function sessionOpened(person: Person): void {
  tellTabs({ type: 'opened', person: { id: person.id, role: person.role } })
  if (isSomebodyElse(person)) handOver()
  else {
    setPerson(person)
    open()
  }
}

/** Follows the session through this tab and the others. Returns how to stop. */
export function watchSession(watcher: SessionWatcher): () => void {
  watchers.add(watcher)
  const stopHearing = hearTabs((news) => {
    if (news.type === 'ended') close()
    else if (news.type === 'left') signOutHere()
    else if (isSomebodyElse(news.person)) handOver()
    else open()
  })
  return () => {
    watchers.delete(watcher)
    stopHearing()
  }
}

function close(): void {
  if (gate) return
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = { opened: promise, open: resolve }
  announce()
}

function open(): void {
  if (!gate) return
  const { open: letGo } = gate
  gate = undefined
  for (const watcher of watchers) watcher.onOpen()
  announce()
  letGo()
}

function announce(): void {
  for (const listener of listeners) listener()
}
