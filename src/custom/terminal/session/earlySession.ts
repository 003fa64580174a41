import type { EarlyScreen } from '../screen/earlyScreen.ts'
import type { Screen, ScreenAppearance, ScreenEvents } from '../screen/screen.ts'
import type { ReceivedOutput, TerminalSocket, TerminalSocketEvents } from '../socket/terminalSocket.ts'
import type { SessionServices } from './terminalSession.ts'

/** Milliseconds. A shell that no page has taken by then is ended: on a slow line, the page's code takes a while. */
const maxWaitMs = 30_000
/** Bytes of output that are shown before the page is there; after these the next piece waits for it. */
const maxShownBytes = 64 * 1024

interface Starter extends Pick<SessionServices, 'create' | 'features' | 'open'> {
  /** Loads the code that draws the screen. */
  loadScreen(): Promise<() => EarlyScreen>
}
type Created = Awaited<ReturnType<SessionServices['create']>>

interface EarlySession {
  serverId: number
  created: Promise<Created>
  /** Set once the socket is being opened. */
  waiting?: WaitingSocket & { sessionId: string }
  /** Set once its code is there. */
  screen?: EarlyScreen
  /** Fulfilled when nothing more is to be done before output can be shown; never without a screen. */
  screenReady: Promise<void>
}

interface WaitingSocket {
  /** Cancels the time limit: a session is going to take it. */
  claim(): void
  take(events: TerminalSocketEvents): TerminalSocket
}

let early: EarlySession | undefined

/**
 * Starts a shell for the page that is about to be drawn, and shows its prompt: the session and its socket are there
 * when the page is. `withEarlySession` hands them to the first session on that server, which asks again for what has
 * failed, and `takeEarlyScreen` hands over the screen.
 */
export function startEarly(serverId: number, { create, loadScreen, features, open }: Starter): void {
  const { promise: screenReady, resolve } = Promise.withResolvers<void>()
  const session: EarlySession = { serverId, created: create(serverId), screenReady }
  early = session
  const connecting = connect(session, { features, open })
  prepareScreen(session, loadScreen(), connecting).then(resolve, () => {})
}

async function connect(session: EarlySession, { features, open }: Pick<Starter, 'features' | 'open'>): Promise<void> {
  const [{ session_id }, known] = await Promise.all([session.created, features()])
  // A session took over before the reply came: it opens its own socket.
  if (early !== session) return
  session.waiting = {
    sessionId: session_id,
    ...openWaiting(session, (events) => open(session_id, { ...known, offset: 0 }, events)),
  }
}

/** Draws the screen while the server starts the shell. Nobody sees it before the shell has written something. */
async function prepareScreen(
  session: EarlySession,
  loading: ReturnType<Starter['loadScreen']>,
  connecting: Promise<void>,
): Promise<void> {
  const [createScreen] = await Promise.all([loading, connecting])
  // A page that is there already has made a screen.
  if (early === session) session.screen = createScreen()
}

/** The screen of the shell that was started early on that server, if the page has not taken it yet. */
export function takeEarlyScreen(
  serverId: number,
  appearance: ScreenAppearance,
  events: ScreenEvents,
): Screen | undefined {
  if (early?.serverId !== serverId || !early.screen) return undefined
  return early.screen.take(appearance, events)
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
    open: (sessionId, options, events) => {
      const waiting = taken?.waiting
      taken = undefined
      return waiting?.sessionId === sessionId ? waiting.take(events) : services.open(sessionId, options, events)
    },
  }
}

/**
 * Opens a socket whose events wait for the session that takes it. Until then its output is shown by the screen, if there
 * is one: a prompt, and what the shell says before it. More than that stays with the server.
 */
function openWaiting(session: EarlySession, open: (events: TerminalSocketEvents) => TerminalSocket): WaitingSocket {
  const { promise: taken, resolve } = Promise.withResolvers<TerminalSocketEvents>()
  const shown: ReceivedOutput[] = []
  let shownBytes = 0
  const show = (piece: ReceivedOutput): boolean => {
    // A page that takes the session shows the rest. Output with gaps takes more than writing it.
    if (early !== session || !session.screen || piece.skipped || shownBytes > maxShownBytes) return false
    session.screen.show(piece.bytes)
    shownBytes += piece.bytes.length
    shown.push({ ...piece, isShown: true })
    return true
  }
  const socket = open({
    onOpen: () => void taken.then((events) => events.onOpen()),
    onOutput: async (piece) => {
      await Promise.race([session.screenReady, taken])
      if (!show(piece)) await (await taken).onOutput(piece)
    },
    onTerminal: (state) => void taken.then((events) => events.onTerminal?.(state)),
    onError: () => void taken.then((events) => events.onError?.()),
    onClose: (code) => void taken.then((events) => events.onClose(code)),
  })
  const timer = setTimeout(() => {
    early = undefined
    socket.close()
    session.screen?.dispose()
  }, maxWaitMs)
  return {
    claim: () => clearTimeout(timer),
    take: (events) => {
      for (const piece of shown) void events.onOutput(piece)
      resolve(events)
      return socket
    },
  }
}
