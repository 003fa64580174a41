import { afterPaint } from '../../../events/afterPaint.ts'
import { earlyScreenPainted } from '../../../events/earlyScreen.ts'
import { storedChoices } from '../../../storage/storedChoices.ts'
import { appearanceOf, defaultPreferences, preferencesKey, type TerminalPreferences } from './appearance.ts'
import type { Screen, ScreenAppearance, ScreenEvents } from './screen.ts'
import { createXtermScreen } from './xtermScreen.ts'

/** A screen that stands in the window before the page around it is drawn. */
export interface EarlyScreen {
  /** Shows it, with this output. */
  show(output: Uint8Array): void
  /** Gives it to the page, with what it has reported until then. */
  take(appearance: ScreenAppearance, events: ScreenEvents): Screen
  dispose(): void
}

export function createEarlyScreen(): EarlyScreen {
  const { events, connect } = delayedEvents()
  const screen = createXtermScreen(storedAppearance(), events)
  const place = document.createElement('div')
  place.className = 'terminal-place alone'
  // The page asks before it pastes several lines, and makes them harmless. It is there in a moment.
  place.addEventListener('paste', refuse, true)
  document.body.append(place)
  screen.mount(place)
  screen.fit()
  const dispose = () => {
    screen.dispose()
    place.remove()
  }
  return {
    show: (output) => {
      screen.write(output, announcePaint)
      place.classList.add('shown')
      // Not where somebody has gone meanwhile.
      if (document.activeElement === document.body) screen.focus()
    },
    take: (appearance, target) => {
      screen.setAppearance(appearance)
      connect(target)
      return {
        ...screen,
        mount: (element) => {
          screen.mount(element)
          place.remove()
        },
        dispose,
      }
    },
    dispose,
  }
}

/** Once the emulator has read its output, which it draws in the next frame. */
function announcePaint(): void {
  afterPaint(() => window.dispatchEvent(new Event(earlyScreenPainted)))
}

function refuse(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

function storedAppearance(): ScreenAppearance {
  const stored = storedChoices()[preferencesKey] as Partial<TerminalPreferences> | undefined
  const scheme = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
  return appearanceOf({ ...defaultPreferences, ...stored }, scheme)
}

/** Events that wait for somebody to hear them: what was typed, and what the terminal answers to the shell. */
function delayedEvents(): { events: ScreenEvents; connect: (target: ScreenEvents) => void } {
  let connected: ScreenEvents | undefined
  const waiting: ((target: ScreenEvents) => void)[] = []
  const pass = (act: (target: ScreenEvents) => void) => {
    if (connected) act(connected)
    else waiting.push(act)
  }
  return {
    events: {
      onText: (text) => pass((target) => target.onText?.(text)),
      onBinary: (binary) => pass((target) => target.onBinary(binary)),
      onResize: () => pass((target) => target.onResize()),
      onTitle: (title) => pass((target) => target.onTitle(title)),
      onClipboard: (text) => pass((target) => target.onClipboard(text)),
      onBell: () => pass((target) => target.onBell()),
      onCommandMark: (kind) => pass((target) => target.onCommandMark(kind)),
      onFolder: (folder) => pass((target) => target.onFolder(folder)),
      onLink: (address) => pass((target) => target.onLink(address)),
      onSelection: (text) => pass((target) => target.onSelection(text)),
      onShortcut: (shortcut) => pass((target) => target.onShortcut(shortcut)),
    },
    connect: (target) =>
      // The page has a terminal for the screen only after it has taken it.
      queueMicrotask(() => {
        connected = target
        for (const act of waiting.splice(0)) act(target)
      }),
  }
}
