/** A reply of the API whose body has been read. */
export interface ReadReply {
  response: Response
  text: string
}

declare global {
  interface Window {
    /** Requests of the script in index.html, by path: see scripts/build/preloadConsole.ts. */
    earlyReplies?: Record<string, Promise<ReadReply>>
  }
}

/** Milliseconds after which a reply is too old to be shown. A slow line takes a while to bring the code that reads it. */
const maxAgeMs = 60_000

const replies = new Map<string, { askedAt: number; reply: Promise<ReadReply> }>()

/**
 * Asks for data before the code that reads them has come: `takeEarlyReply` hands the reply over. Asks once.
 * @param path below `/api/v1/`. Before the session is confirmed, it must be a protected route
 * (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking).
 */
export function fetchEarly(path: string): void {
  if (replies.has(path)) return
  const early = { askedAt: performance.now(), reply: takePageReply(path) ?? fetchReply(path) }
  replies.set(path, early)
  // A failure only reaches calls that already wait for it: a later call asks the server again.
  const forget = () => {
    if (replies.get(path) === early) replies.delete(path)
  }
  early.reply.then(({ response, text }) => {
    if (!response.ok || text.startsWith('{"error"')) forget()
  }, forget)
}

/** The reply to a request of the script in index.html, given once. */
function takePageReply(path: string): Promise<ReadReply> | undefined {
  const reply = window.earlyReplies?.[path]
  delete window.earlyReplies?.[path]
  return reply
}

/** A reply that was asked for early, which stays for others; `undefined` when there is none. Rejects when none came. */
export function earlyReply(path: string): Promise<ReadReply> | undefined {
  const early = replies.get(path)
  return early && performance.now() - early.askedAt < maxAgeMs ? early.reply : undefined
}

/** The same, given once: the next call gets a new reply from the server. */
export function takeEarlyReply(path: string): Promise<ReadReply> | undefined {
  const reply = earlyReply(path)
  replies.delete(path)
  return reply
}

/** Forgets all of them: they belong to a session that has ended, or to a server that could not be reached. */
export const dropEarlyReplies = (): void => replies.clear()

/** @throws TypeError when no reply comes */
export async function fetchReply(path: string, init: RequestInit = {}): Promise<ReadReply> {
  const headers = new Headers(init.headers)
  headers.set('Accept', 'application/json')
  const response = await fetch(`/api/v1/${path}`, { credentials: 'same-origin', ...init, headers })
  return { response, text: await response.text() }
}
