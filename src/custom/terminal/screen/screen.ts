import type { Scheme } from '../../theme/tokens.ts'
import type { SessionScreen } from '../session/session.ts'

/** How a screen looks and behaves, as the person has chosen. */
export interface ScreenLook {
  fontSize: number
  fontFamily: string
  scheme: Scheme
  /** Writes what is on screen into the page for screen readers as well. */
  screenReader: boolean
}

export interface ScreenEvents {
  /** Typed, or answered by the terminal itself. */
  onText(text: string): void
  /** Reports of old mouse modes: each character is one byte. */
  onBinary(binary: string): void
  onResize(): void
  /** The shell has said what it is doing. */
  onTitle(said: string): void
  /** A link was clicked; nothing has been opened. */
  onLink(address: string): void
  /** A selection has been made, or has grown. */
  onSelection(text: string): void
  /** A key that is the page's and not the shell's was pressed. */
  onShortcut(shortcut: Shortcut): void
}

export type Shortcut = 'search' | 'copy' | 'leave'

export interface Hits {
  /** From 0; -1 when there are too many to count. */
  current: number
  total: number
}

/** What the page needs of a terminal emulator. */
export interface Screen extends SessionScreen {
  /** Puts it into the page. It is done once; the element moves with its pane. */
  mount(element: HTMLElement): void
  /** Fits rows and columns to the element. */
  fit(): void
  focus(): void
  look(look: ScreenLook): void
  /** Whether somebody sees it: one that nobody sees gives its graphics context back. */
  show(isShown: boolean): void
  /** Sends a text as if it were typed, between the marks of a paste where the program asked for them. */
  paste(text: string): void
  /** The bytes of a key, as the program wants them now. */
  arrow(direction: 'up' | 'down' | 'left' | 'right'): string
  selection(): string
  find(text: string, options: { backwards?: boolean; isNew?: boolean }): void
  /** Tells how many hits there are, while a search is on. Returns how to stop. */
  onHits(listener: (hits: Hits) => void): () => void
  endSearch(): void
  /** Undoes what a program that died has set, leaves all that is on screen and above it, and writes a line below. */
  settle(line: string): void
  dispose(): void
}

export type CreateScreen = (look: ScreenLook, events: ScreenEvents) => Screen
