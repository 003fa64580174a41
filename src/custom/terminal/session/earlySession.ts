import type { TerminalSocket, TerminalSocketEvents } from '../socket/terminalSocket.ts'
import type { SessionServices } from './terminalSession.ts'

/** Milliseconds. A shell that no page has taken by then is ended: on a slow line, the page's code takes a while. */
const maxWaitMs = 30_000

type Starter = Pick<SessionServices, 'create' | 'flowWindow' | 'open'>
type Created = Awaited<ReturnType<SessionServices['create']>>

interface EarlySession {
  serverId: number
  created: Promise<Created>
  /** Set once the socket is being opened. */
  waiting?: WaitingSocket & { sessionId: string }
}

interface WaitingSocket {
  /** Cancels the time limit: a session is going to take it. */
  claim(): void
  take(events: TerminalSocketEvents): TerminalSocket
}

let early: EarlySession | undefined

/**
 * Starts a shell for the page that is about to be drawn: the session and its socket are there when the screen is.
 * `withEarlySession` hands them to the first session on that server, which asks again for what has failed.
 */
export function startEarly(serverId: number, { create, flowWindow, open }: Starter): void {
  const session: EarlySession = { serverId, created: create(serverId) }
  early = session
  connect(session, { flowWindow, open }).catch(() => {})
}

async function connect(session: EarlySession, { flowWindow, open }: Omit<Starter, 'create'>): Promise<void> {
  const [{ session_id }, window] = await Promise.all([session.created, flowWindow()])
  // A session took over before the reply came: it opens its own socket.
  if (early !== session) return
  session.waiting = { sessionId: session_id, ...openWaiting((events) => open(session_id, window, events)) }
}

/** Wraps services: the first session on that server takes over the shell that was started early. */
export function withEarlySession(services: SessionServices): SessionServices {
  let taken: EarlySession | undefined
  return {
    ...services,
    create: (serverId) => {
      if (early?.serverId !== serverId) return services.create(serverId)
      taken = early
      early = undefined
      taken.waiting?.claim()
      return taken.created.catch(() => services.create(serverId))
    },
    open: (sessionId, flowWindow, events) => {
      const waiting = taken?.waiting
      taken = undefined
      return waiting?.sessionId === sessionId ? waiting.take(events) : services.open(sessionId, flowWindow, events)
    },
  }
}

/** Opens a socket whose events wait for the session that takes it; until then it reads one piece of output at most. */
function openWaiting(open: (events: TerminalSocketEvents) => TerminalSocket): WaitingSocket {
  const { promise: taken, resolve } = Promise.withResolvers<TerminalSocketEvents>()
  const socket = open({
    onOpen: () => void taken.then((events) => events.onOpen()),
    onOutput: async (piece) => (await taken).onOutput(piece),
    onError: () => void taken.then((events) => events.onError?.()),
    onClose: (code) => void taken.then((events) => events.onClose(code)),
  })
  const timer = setTimeout(() => {
    early = undefined
    socket.close()
  }, maxWaitMs)
  return {
    claim: () => clearTimeout(timer),
    take: (events) => {
      resolve(events)
      return socket
    },
  }
}
