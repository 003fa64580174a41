import type { Scheme } from '../../../components/theme/tokens.ts'
import { terminalLimits } from '../../../schemas/frames/terminal.ts'
import type { RawPath } from '../../files/transfer/remotePath.ts'

/** Font, colours and accessibility of a screen. */
export interface ScreenAppearance {
  fontSize: number
  fontFamily: string
  scheme: Scheme
  /** Writes what is on screen into the page for screen readers as well. */
  screenReader: boolean
  /** What a screen reader hears of the emulator itself; English before the texts of the console are there. */
  labels?: { input: string; keys: string; tooMuchOutput: string }
}

export interface ScreenEvents {
  /** Typed, or answered by the terminal itself. */
  /** Left out where nobody types: then Tab is not for a shell, and goes on through the page. */
  onText?(text: string): void
  /** Reports of old mouse modes: each character is one byte. */
  onBinary(binary: string): void
  onResize(): void
  /** The shell has set its title. */
  onTitle(title: string): void
  /** A program asks to put a text on the clipboard; nothing has been copied. */
  onClipboard(text: string): void
  /** A program rings the bell. */
  onBell(): void
  /** The shell has set a mark: A and B around its prompt, C before a command, D after it. */
  onCommandMark(kind: string): void
  /** The shell has said in which folder it is. */
  onFolder(folder: RawPath): void
  /** A link was clicked; nothing has been opened. */
  onLink(address: string): void
  /** A selection has been made, or has grown. */
  onSelection(text: string): void
  /** A key that is the page's and not the shell's was pressed. */
  onShortcut(shortcut: Shortcut): void
}

export type Shortcut = 'search' | 'copy' | 'leave' | 'beside'

export interface SearchResults {
  /** From 0; -1 when there are too many to count. */
  current: number
  total: number
}

/** The part of a terminal emulator that a session writes to. */
export interface SessionScreen {
  write(data: Uint8Array | string, done: () => void): void
  size(): { rows: number; cols: number }
}

/** What the page needs of a terminal emulator. */
export interface Screen extends SessionScreen {
  /** Adds it to the page; a second time moves it. The element has the class `terminal-place`. */
  mount(element: HTMLElement): void
  /** Fits rows and columns to the element; where they are set, the characters. */
  fit(): void
  /** Sets rows and columns, in characters: those of somebody else's window. */
  setSize(size: { rows: number; cols: number }): void
  focus(): void
  setAppearance(appearance: ScreenAppearance): void
  /** A screen that is not visible gives its WebGL context back. */
  setVisible(isShown: boolean): void
  /** Sends a text as if it were typed, between the marks of a paste where the program asked for them. */
  paste(text: string): void
  /** The bytes of a key, as the program wants them now. */
  arrow(direction: 'up' | 'down' | 'left' | 'right'): string
  selection(): string
  find(text: string, options: { backwards?: boolean; isNew?: boolean }): void
  /** Reports the number of matches while a search is active. Returns how to unsubscribe. */
  onSearchResults(listener: (results: SearchResults) => void): () => void
  endSearch(): void
  /** Resets the modes that an ended program has set, keeps screen and scrollback, and writes a line below. */
  prepareReconnect(line: string): void
  dispose(): void
}

export type CreateScreen = (appearance: ScreenAppearance, events: ScreenEvents) => Screen

type Pressed = Pick<KeyboardEvent, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'code'>

const shortcuts: Readonly<Record<string, Shortcut | 'paste'>> = {
  KeyF: 'search',
  KeyC: 'copy',
  KeyV: 'paste',
  ArrowUp: 'leave',
  ArrowDown: 'beside',
}

/**
 * The keys that are the page's: Ctrl-Shift with F, C, V or the arrows up and down, which lead out of the terminal for
 * those who have no mouse: Tab and all else belongs to the shell.
 */
export function shortcutOf({ ctrlKey, shiftKey, altKey, metaKey, code }: Pressed): Shortcut | 'paste' | undefined {
  return ctrlKey && shiftKey && !altKey && !metaKey ? shortcuts[code] : undefined
}

/** Lines that can be scrolled back to. */
export const scrollbackLines = 10_000
/** All lines that a screen shows, scrolled back as far as possible; no window is taller than the last of them. */
export const historyLines = scrollbackLines + terminalLimits.rows.max
