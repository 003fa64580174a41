import type { CreateScreen, Screen, ScreenLook, Shortcut } from './screen/screen.ts'
import { type SessionDoors, type SessionState, TerminalSession } from './session/session.ts'
import { shellTitle } from './session/title.ts'

/** As many as a server gives one person. */
export const panesAtMost = 20

/** One terminal of the page, as it is drawn. */
export interface Pane {
  key: number
  serverId: number
  serverName: string
  /** Tells several sessions on one server apart: 1, 2 and so on. */
  turn: number
  /** What the shell calls itself; empty until it does. */
  title: string
  state: SessionState
  screen: Screen
}

/** What the terminals ask of the page. */
export interface PanesEvents {
  onLink(address: string): void
  onSelection(text: string): void
  onShortcut(shortcut: Shortcut): void
  onSocketError(pane: Pane): void
  /** What a key on screen has changed about the next typed text: Ctrl, held. */
  typed(text: string): string
  /** The line on screen where a new session goes on below an old one. */
  reconnectedLine(): string
}

interface Inner {
  pane: Pane
  session: TerminalSession
}

/** The terminals of the page, and which of them is in front: a store outside of React. */
export class Panes {
  readonly #createScreen: CreateScreen
  readonly #doors: SessionDoors
  readonly #events: PanesEvents
  readonly #listeners = new Set<() => void>()
  #look: ScreenLook
  #inner: Inner[] = []
  #keys = 0
  #view: { panes: readonly Pane[]; activeKey: number } = { panes: [], activeKey: 0 }

  constructor(createScreen: CreateScreen, look: ScreenLook, doors: SessionDoors, events: PanesEvents) {
    this.#createScreen = createScreen
    this.#look = look
    this.#doors = doors
    this.#events = events
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The same object until something changes. */
  readonly view = () => this.#view

  /** Opens a session on a server, in front of the others. Does nothing when there are as many as there may be. */
  add(serverId: number, serverName: string): void {
    if (this.#inner.length >= panesAtMost) return
    this.#keys += 1
    const key = this.#keys
    const screen = this.#createScreen(this.#look, {
      onText: (text) => this.#sessionOf(key)?.type(this.#events.typed(text)),
      onBinary: (binary) => this.#sessionOf(key)?.typeBytes(binary),
      onResize: () => this.#sessionOf(key)?.resized(),
      onTitle: (said) => this.#change(key, { title: shellTitle(said) }),
      onLink: this.#events.onLink,
      onSelection: this.#events.onSelection,
      onShortcut: this.#events.onShortcut,
    })
    const taken = this.#inner.filter(({ pane }) => pane.serverId === serverId).map(({ pane }) => pane.turn)
    const pane: Pane = {
      key,
      serverId,
      serverName,
      turn: Math.max(0, ...taken) + 1,
      title: '',
      state: { phase: 'starting' },
      screen,
    }
    this.#inner.push({ pane, session: this.#newSession(pane) })
    this.#announce(key)
    void this.#sessionOf(key)?.start()
  }

  /** Brings a terminal to the front. */
  activate(key: number): void {
    if (key !== this.#view.activeKey && this.#sessionOf(key)) this.#announce(key)
  }

  /** A new session on the same server, below what the old one has written. */
  reconnect(key: number): void {
    const inner = this.#inner.find(({ pane }) => pane.key === key)
    if (inner?.pane.state.phase !== 'ended') return
    if (inner.pane.state.end.hadShell) inner.pane.screen.settle(this.#events.reconnectedLine())
    inner.session = this.#newSession(inner.pane)
    this.#change(key, { title: '' })
    void inner.session.start()
  }

  /** Hangs up and takes the terminal away. Its neighbour comes to the front. */
  remove(key: number): void {
    const index = this.#inner.findIndex(({ pane }) => pane.key === key)
    if (index < 0) return
    const [gone] = this.#inner.splice(index, 1)
    gone?.session.close()
    gone?.pane.screen.dispose()
    const next = this.#inner[Math.min(index, this.#inner.length - 1)]
    this.#announce(this.#view.activeKey === key ? (next?.pane.key ?? 0) : this.#view.activeKey)
  }

  /** Types into a terminal as a person would. */
  type(key: number, text: string): void {
    this.#sessionOf(key)?.type(text)
  }

  look(look: ScreenLook): void {
    this.#look = look
    for (const { pane } of this.#inner) pane.screen.look(look)
  }

  /** The person's session has ended: all sockets close, the screens stay. */
  signOut(): void {
    for (const { session } of this.#inner) session.signOut()
  }

  dispose(): void {
    for (const { pane } of [...this.#inner]) this.remove(pane.key)
  }

  #newSession({ key, serverId, screen }: Pane): TerminalSession {
    return new TerminalSession(serverId, screen, this.#doors, {
      onState: (state) => this.#change(key, { state }),
      onServerName: (serverName) => this.#change(key, { serverName }),
      onSocketError: () => {
        const inner = this.#inner.find(({ pane }) => pane.key === key)
        if (inner) this.#events.onSocketError(inner.pane)
      },
    })
  }

  #sessionOf(key: number): TerminalSession | undefined {
    return this.#inner.find(({ pane }) => pane.key === key)?.session
  }

  #change(key: number, change: Partial<Pane>): void {
    const inner = this.#inner.find(({ pane }) => pane.key === key)
    if (!inner) return
    inner.pane = { ...inner.pane, ...change }
    this.#announce(this.#view.activeKey)
  }

  #announce(activeKey: number): void {
    this.#view = { panes: this.#inner.map(({ pane }) => pane), activeKey }
    for (const listener of this.#listeners) listener()
  }
}

/** What a terminal is called in its tab: the server, and which of several sessions on it. */
export const paneName = ({ serverName, serverId, turn }: Pane): string => {
  const name = serverName || `#${serverId}`
  return turn > 1 ? `${name} (${turn})` : name
}

/** Whether something would be lost by leaving. */
export const isLive = ({ state }: Pane): boolean => state.phase === 'open'
