import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type ITerminalOptions, Terminal } from '@xterm/xterm'
import { palettes, searchColours } from './palettes.ts'
import type { CreateScreen, ScreenLook } from './screen.ts'
import { shortcutOf } from './shortcuts.ts'
import { createWebgl } from './webgl.ts'

const scrollback = 10_000

/** Sequence numbers of "manipulate the clipboard". */
const clipboard = 52

/**
 * What programs leave behind when they die: mouse and focus reports, marks around pastes, keys in
 * another mode, a hidden cursor, a scrolling region, colours.
 */
const settled = '\x18\x1b[?9;1000;1002;1003;1004;1005;1006;1015;1016;2004;2026l\x1b[!p\x1b[?25h\x1b[0m'

/** Back from the screen of a full-screen program; elsewhere it would move the cursor to where none was saved. */
const leaveOther = '\x1b[?1049l'

const optionsOf = ({ fontSize, fontFamily, scheme, screenReader }: ScreenLook) =>
  ({
    fontSize,
    fontFamily,
    theme: palettes[scheme],
    screenReaderMode: screenReader,
  }) satisfies ITerminalOptions

/** A screen drawn by xterm.js: on the graphics card where that helps, else in the page. */
export const createXtermScreen: CreateScreen = (look, events) => {
  let { scheme } = look
  let place: HTMLElement | undefined
  const terminal = new Terminal({
    ...optionsOf(look),
    scrollback,
    // Widths by Unicode 11 and marks on search hits are still called proposals.
    allowProposedApi: true,
    macOptionIsMeta: true,
    minimumContrastRatio: 4.5,
    rightClickSelectsWord: false,
    linkHandler: { activate: (_, address) => events.onLink(address) },
  })
  const fit = new FitAddon()
  const search = new SearchAddon({ highlightLimit: 1_000 })
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.loadAddon(new Unicode11Addon())
  terminal.loadAddon(new WebLinksAddon((_, address) => events.onLink(address)))
  terminal.unicode.activeVersion = '11'
  // No output may ever write to the clipboard, whatever a later version of the emulator would do with it.
  terminal.parser.registerOscHandler(clipboard, () => true)
  const webgl = createWebgl(terminal)

  terminal.onData(events.onText)
  terminal.onBinary(events.onBinary)
  terminal.onResize(events.onResize)
  terminal.onTitleChange(events.onTitle)
  terminal.onSelectionChange(() => events.onSelection(terminal.getSelection()))
  terminal.attachCustomKeyEventHandler((event) => {
    const shortcut = shortcutOf(event)
    if (!shortcut) return true
    // Left to the browser: it answers with a paste.
    if (shortcut === 'paste') return false
    event.preventDefault()
    event.stopPropagation()
    if (event.type === 'keydown') events.onShortcut(shortcut)
    return false
  })

  /** The edge around the characters has their ground. */
  const paint = () => {
    if (place) place.style.background = palettes[scheme].background
  }

  return {
    write: (data, done) => terminal.write(data, done),
    size: () => ({ rows: terminal.rows, cols: terminal.cols }),
    mount: (element) => {
      place = element
      paint()
      terminal.open(element)
      webgl.mounted()
    },
    fit: () => fit.fit(),
    focus: () => terminal.focus(),
    look: (next) => {
      scheme = next.scheme
      paint()
      terminal.options = optionsOf(next)
    },
    show: (isShown) => webgl.show(isShown),
    paste: (text) => terminal.paste(text),
    arrow: (direction) => {
      const letter = { up: 'A', down: 'B', right: 'C', left: 'D' }[direction]
      return `\x1b${terminal.modes.applicationCursorKeysMode ? 'O' : '['}${letter}`
    },
    selection: () => terminal.getSelection(),
    find: (text, { backwards = false, isNew = false }) => {
      const options = { incremental: isNew && !backwards, decorations: searchColours(scheme) }
      if (backwards) search.findPrevious(text, options)
      else search.findNext(text, options)
    },
    onHits: (listener) => {
      const stop = search.onDidChangeResults(({ resultIndex, resultCount }) =>
        listener({ current: resultIndex, total: resultCount }),
      )
      return () => stop.dispose()
    },
    endSearch: () => search.clearDecorations(),
    settle: (line) =>
      // What was written before has to be drawn first: only then is it known which screen stands there.
      terminal.write('\x18', () => {
        const { type } = terminal.buffer.active
        terminal.write(`${type === 'alternate' ? leaveOther : ''}${settled}\r\n${line}\r\n`)
      }),
    dispose: () => terminal.dispose(),
  }
}
