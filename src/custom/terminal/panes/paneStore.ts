import { createEmitter } from '../../../events/emitter.ts'
import type { TerminalState } from '../../../schemas/frames/terminal.ts'
import type { TabTerminal } from '../../../storage/tabTerminals.ts'
import type { RawPath } from '../../files/transfer/remotePath.ts'
import type { CreateScreen, Screen, ScreenAppearance, Shortcut } from '../screen/screen.ts'
import { type CommandEnd, CommandWatch } from '../session/commandWatch.ts'
import {
  type HeldShell,
  type SessionEvents,
  type SessionServices,
  type SessionState,
  TerminalSession,
} from '../session/terminalSession.ts'
import { shellTitle } from '../session/terminalText.ts'

/** As many as a server gives one person. */
export const maxPanes = 20

/** One terminal of the page, as it is drawn. */
export interface Pane {
  key: number
  serverId: number
  serverName: string
  /** Tells several sessions on one server apart: 1, 2 and so on. */
  sessionNumber: number
  /** The title that the shell has set; empty until it does. */
  title: string
  state: SessionState
  /** The folder in which the shell says that it is; absent until it does. */
  folder?: RawPath
  /** The id of its session; empty until the server has given it one. */
  sessionId: string
  /** Who is in it, and whether it is recorded; absent until the server says so. */
  terminal?: TerminalState
  /** Whether somebody wants to be told when the command in front ends. */
  isWatched: boolean
  /** Whether its shell goes on when the page is left, for a while. */
  isHeld: boolean
  screen: Screen
}

/** What terminals report to the page, and ask of it. */
export interface PaneEvents {
  onLink(address: string): void
  onSelection(text: string): void
  onShortcut(shortcut: Shortcut): void
  /** A program asks to put a text on the clipboard. */
  onClipboard(pane: Pane, text: string): void
  onBell(pane: Pane): void
  /** The command ended for which somebody had waited. */
  onCommandEnd(pane: Pane, how: CommandEnd): void
  onSocketError(pane: Pane): void
  /** It shows the same shell again, or a new one in its place. */
  onReturned(pane: Pane, shell: 'same' | 'new'): void
  /** Which shells the server holds when the page is left now. */
  onTerminals(terminals: readonly TabTerminal[]): void
  /** Number of bytes of output that were left out. */
  onSkipped(pane: Pane, bytes: number): void
  /** Changes typed text before it is sent: the Ctrl key on screen may be held. */
  transformInput(text: string): string
  /** The line on screen between an ended session and the new one below it. */
  reconnectedNotice(): string
}

/** Makes the screen of a terminal on a server. */
export type CreatePaneScreen = (serverId: number, ...look: Parameters<CreateScreen>) => Screen

interface ManagedPane {
  pane: Pane
  session: TerminalSession
  watch: CommandWatch
}

/** The terminals of the page, and which of them is in front: a store outside of React. */
export class PaneStore {
  readonly #createScreen: CreatePaneScreen
  readonly #services: SessionServices
  readonly #events: PaneEvents
  readonly #changes = createEmitter()
  readonly subscribe = this.#changes.subscribe
  #appearance: ScreenAppearance
  #managed: ManagedPane[] = []
  #keys = 0
  #view: { panes: readonly Pane[]; activeKey: number } = { panes: [], activeKey: 0 }

  constructor(
    createScreen: CreatePaneScreen,
    appearance: ScreenAppearance,
    services: SessionServices,
    events: PaneEvents,
  ) {
    this.#createScreen = createScreen
    this.#appearance = appearance
    this.#services = services
    this.#events = events
  }

  /** The same object until something changes. */
  readonly view = () => this.#view

  /**
   * Opens a session on a server, or comes back to one, in front of the others. Does nothing when there are as many as
   * there may be.
   */
  add(serverId: number, serverName: string, held?: HeldShell): void {
    if (this.#managed.length >= maxPanes) return
    this.#keys += 1
    const key = this.#keys
    const screen = this.#createScreen(serverId, this.#appearance, {
      onText: (text) => this.#sessionOf(key)?.type(this.#events.transformInput(text)),
      onBinary: (binary) => this.#sessionOf(key)?.typeBytes(binary),
      onResize: () => this.#sessionOf(key)?.resized(),
      onTitle: (title) => this.#change(key, { title: shellTitle(title) }),
      onFolder: (folder) => this.#change(key, { folder }),
      onClipboard: (text) => this.#onceOnly(key, (pane) => this.#events.onClipboard(pane, text)),
      onBell: () => this.#onceOnly(key, (pane) => this.#events.onBell(pane)),
      onCommandMark: (kind) => this.#onceOnly(key, () => this.#watchOf(key)?.mark(kind)),
      onLink: this.#events.onLink,
      onSelection: this.#events.onSelection,
      onShortcut: this.#events.onShortcut,
    })
    const taken = this.#managed.filter(({ pane }) => pane.serverId === serverId).map(({ pane }) => pane.sessionNumber)
    const pane: Pane = {
      key,
      serverId,
      serverName,
      sessionNumber: Math.max(0, ...taken) + 1,
      title: '',
      sessionId: '',
      state: { phase: 'starting' },
      isWatched: false,
      isHeld: false,
      screen,
    }
    const watch = new CommandWatch((how) => this.#commandEnded(key, how))
    this.#managed.push({ pane, session: this.#newSession(pane, held), watch })
    this.#announce(key)
    void this.#sessionOf(key)?.start()
  }

  /** Shows a terminal that the server holds; one that is here already comes to the front. */
  show({ serverId, serverName, sessionId }: TabTerminal): void {
    const here = this.#managed.find(({ session }) => session.held?.sessionId === sessionId)
    if (!here) this.add(serverId, serverName, { sessionId, offset: 0 })
    else {
      this.activate(here.pane.key)
      this.reconnect(here.pane.key)
    }
  }

  /** Brings a terminal to the front. */
  activate(key: number): void {
    if (key !== this.#view.activeKey && this.#sessionOf(key)) this.#announce(key)
  }

  /** Back to the shell where that may be there still, or a new one below what the old one has written. */
  reconnect(key: number): void {
    const managed = this.#managed.find(({ pane }) => pane.key === key)
    if (managed?.pane.state.phase !== 'ended') return
    const { held } = managed.session
    if (managed.pane.state.end.hadShell && !held) managed.pane.screen.prepareReconnect(this.#events.reconnectedNotice())
    managed.session = this.#newSession(managed.pane, held)
    if (!held) this.#change(key, { title: '', folder: undefined })
    void managed.session.start()
  }

  /** Ends the session and removes the terminal. Its neighbour comes to the front. */
  remove(key: number): void {
    const index = this.#managed.findIndex(({ pane }) => pane.key === key)
    if (index < 0) return
    const [gone] = this.#managed.splice(index, 1)
    gone?.watch.stop()
    gone?.session.close()
    gone?.pane.screen.dispose()
    const next = this.#managed[Math.min(index, this.#managed.length - 1)]
    this.#announce(this.#view.activeKey === key ? (next?.pane.key ?? 0) : this.#view.activeKey)
  }

  /** Begins or ends to wait for the end of the command in front. @returns what it waits for */
  watchCommand(key: number, isWatched: boolean): CommandEnd | undefined {
    const watch = this.#watchOf(key)
    if (isWatched) watch?.start()
    else watch?.stop()
    this.#change(key, { isWatched })
    return watch?.how
  }

  /** Types into a terminal as a person would. */
  type(key: number, text: string): void {
    this.#sessionOf(key)?.type(text)
  }

  setAppearance(appearance: ScreenAppearance): void {
    this.#appearance = appearance
    for (const { pane } of this.#managed) pane.screen.setAppearance(appearance)
  }

  /** The person's session has ended: all sockets close, the screens stay. */
  signOut(): void {
    for (const { session } of this.#managed) session.signOut()
  }

  dispose(): void {
    for (const { pane } of [...this.#managed]) this.remove(pane.key)
  }

  #newSession({ key, serverId, screen }: Pane, held?: HeldShell): TerminalSession {
    const withPane = (act: (pane: Pane) => void) => {
      const managed = this.#managed.find(({ pane }) => pane.key === key)
      if (managed) act(managed.pane)
    }
    const events: SessionEvents = {
      onState: (state) => {
        const session = this.#sessionOf(key)
        const isOver = state.phase === 'ended'
        const change = { state, isHeld: session?.held !== undefined, sessionId: session?.id ?? '' }
        this.#change(key, { ...change, ...(isOver && { terminal: undefined }) })
        // With its shell the command is over as well.
        if (isOver) this.#watchOf(key)?.over()
      },
      onOutput: () => this.#watchOf(key)?.printed(),
      onTerminal: (terminal) => this.#change(key, { terminal }),
      onServerName: (serverName) => this.#change(key, { serverName }),
      onSocketError: () => withPane((pane) => this.#events.onSocketError(pane)),
      onReturned: (shell) => withPane((pane) => this.#events.onReturned(pane, shell)),
      onSkipped: (bytes) => withPane((pane) => this.#events.onSkipped(pane, bytes)),
    }
    return new TerminalSession(serverId, screen, this.#services, events, held)
  }

  /** Not when output is drawn again: a program asked then, and was answered. */
  #onceOnly(key: number, act: (pane: Pane) => void): void {
    const managed = this.#managed.find(({ pane }) => pane.key === key)
    if (managed && !managed.session.isReplaying) act(managed.pane)
  }

  #terminals(): TabTerminal[] {
    return this.#managed.flatMap(({ pane: { serverId, serverName }, session }) =>
      session.held ? [{ serverId, serverName, sessionId: session.held.sessionId }] : [],
    )
  }

  #sessionOf(key: number): TerminalSession | undefined {
    return this.#managed.find(({ pane }) => pane.key === key)?.session
  }

  #watchOf(key: number): CommandWatch | undefined {
    return this.#managed.find(({ pane }) => pane.key === key)?.watch
  }

  #commandEnded(key: number, how: CommandEnd): void {
    this.#change(key, { isWatched: false })
    const pane = this.#view.panes.find((one) => one.key === key)
    if (pane) this.#events.onCommandEnd(pane, how)
  }

  #change(key: number, change: Partial<Pane>): void {
    const managed = this.#managed.find(({ pane }) => pane.key === key)
    if (!managed) return
    managed.pane = { ...managed.pane, ...change }
    this.#announce(this.#view.activeKey)
  }

  #announce(activeKey: number): void {
    this.#view = { panes: this.#managed.map(({ pane }) => pane), activeKey }
    this.#events.onTerminals(this.#terminals())
    this.#changes.emit()
  }
}

/** What a terminal is called in its tab: the server, and which of several sessions on it. */
export const paneName = ({ serverName, serverId, sessionNumber }: Pane): string => {
  const name = serverName || `#${serverId}`
  return sessionNumber > 1 ? `${name} (${sessionNumber})` : name
}

/** Whether a shell is there: closing the terminal ends it. */
export const isLive = ({ state }: Pane): boolean => state.phase === 'open' || state.phase === 'lost'

/** How the server names a terminal in its list and in the audit log. */
export const terminalId = ({ sessionId }: Pane): string => sessionId.slice(0, 8)
