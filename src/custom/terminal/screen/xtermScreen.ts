import '@xterm/xterm/css/xterm.css'
import './terminalPlace.css'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import type { WebglAddon } from '@xterm/addon-webgl'
import { type ITerminalOptions, Terminal } from '@xterm/xterm'
import { whenIdle } from '../../../events/whenIdle.ts'
import { palettes, searchColours } from './palettes.ts'
import { clipboardText, folderOfAddress, oscNumbers } from './programRequests.ts'
import { type CreateScreen, type ScreenAppearance, scrollbackLines, shortcutOf } from './screen.ts'

/**
 * Undoes what a program that was killed may have left on: mouse and focus reports, bracketed paste, other key modes, a
 * hidden cursor, a scrolling region, colours.
 */
const resetModes = '\x18\x1b[?9;1000;1002;1003;1004;1005;1006;1015;1016;2004;2026l\x1b[!p\x1b[?25h\x1b[0m'

/** Leaves the alternate screen of a full-screen program. On the normal screen it would move the cursor wrongly. */
const leaveAlternateScreen = '\x1b[?1049l'

const optionsOf = ({ fontSize, fontFamily, scheme, screenReader }: ScreenAppearance) =>
  ({
    fontSize,
    fontFamily,
    theme: palettes[scheme],
    screenReaderMode: screenReader,
  }) satisfies ITerminalOptions

/** A screen drawn by xterm.js: on the graphics card where that helps, else in the page. */
export const createXtermScreen: CreateScreen = (appearance, events) => {
  let { scheme } = appearance
  let container: HTMLElement | undefined
  let isSearching = false
  let { fontSize } = appearance
  let keys = ''
  let setRows: { rows: number; cols: number } | undefined
  const terminal = new Terminal({
    ...optionsOf(appearance),
    scrollback: scrollbackLines,
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
  // Handled here, whatever a later version of the emulator would do with it: the page asks before anything is copied.
  terminal.parser.registerOscHandler(oscNumbers.clipboard, (data) => {
    const text = clipboardText(data)
    if (text !== undefined) events.onClipboard(text)
    return true
  })
  terminal.parser.registerOscHandler(oscNumbers.folder, (data) => {
    const folder = folderOfAddress(data)
    if (folder !== undefined) events.onFolder(folder)
    return true
  })
  terminal.parser.registerOscHandler(oscNumbers.commandMark, (data) => {
    events.onCommandMark(data.charAt(0))
    return true
  })
  const webgl = createWebgl(terminal)

  const { onText } = events
  if (onText) terminal.onData(onText)
  terminal.onBinary(events.onBinary)
  terminal.onResize(events.onResize)
  terminal.onTitleChange(events.onTitle)
  terminal.onBell(events.onBell)
  terminal.onSelectionChange(() => events.onSelection(terminal.getSelection()))
  terminal.attachCustomKeyEventHandler((event) => {
    if (!onText && event.key === 'Tab') return false
    const shortcut = shortcutOf(event)
    if (!shortcut) return true
    // Left to the browser: it answers with a paste.
    if (shortcut === 'paste') return false
    event.preventDefault()
    event.stopPropagation()
    if (event.type === 'keydown') events.onShortcut(shortcut)
    return false
  })

  /** The emulator reads its words when it is opened, and keeps them. */
  function setLabels({ labels }: ScreenAppearance): void {
    if (!labels) return
    Terminal.strings.promptLabel = labels.input
    Terminal.strings.tooMuchOutput = labels.tooMuchOutput
    terminal.textarea?.setAttribute('aria-label', labels.input)
    keys = labels.keys
    describeKeys()
  }
  /** Tab goes to the shell: people have to hear how they get out. */
  function describeKeys(): void {
    if (onText) terminal.textarea?.setAttribute('aria-description', keys)
  }
  setLabels(appearance)

  /** The border around the characters has the colour of their background. */
  const paintBackground = () => {
    if (container) container.style.background = palettes[scheme].background
  }

  return {
    write: (data, done) => terminal.write(data, done),
    size: () => ({ rows: terminal.rows, cols: terminal.cols }),
    mount: (element) => {
      container = element
      paintBackground()
      if (terminal.element) element.append(terminal.element)
      else terminal.open(element)
      describeKeys()
      webgl.mounted()
    },
    fit: () => {
      const restoreMatch = isSearching ? markSelection(terminal) : undefined
      if (setRows) fitCharacters(terminal, fit, fontSize, setRows)
      else fit.fit()
      restoreMatch?.()
    },
    setSize: (size) => {
      setRows = size
      terminal.resize(size.cols, size.rows)
      fitCharacters(terminal, fit, fontSize, size)
    },
    focus: () => terminal.focus(),
    setAppearance: (next) => {
      scheme = next.scheme
      fontSize = next.fontSize
      paintBackground()
      setLabels(next)
      terminal.options = optionsOf(next)
      if (setRows) fitCharacters(terminal, fit, fontSize, setRows)
    },
    setVisible: (isShown) => webgl.setVisible(isShown),
    paste: (text) => terminal.paste(text),
    arrow: (direction) => {
      const letter = { up: 'A', down: 'B', right: 'C', left: 'D' }[direction]
      return `\x1b${terminal.modes.applicationCursorKeysMode ? 'O' : '['}${letter}`
    },
    selection: () => terminal.getSelection(),
    find: (text, { backwards = false, isNew = false }) => {
      isSearching = true
      const options = { incremental: isNew && !backwards, decorations: searchColours(scheme) }
      if (backwards) search.findPrevious(text, options)
      else search.findNext(text, options)
    },
    onSearchResults: (listener) => {
      const stop = search.onDidChangeResults(({ resultIndex, resultCount }) =>
        listener({ current: resultIndex, total: resultCount }),
      )
      return () => stop.dispose()
    },
    endSearch: () => {
      isSearching = false
      search.clearDecorations()
    },
    prepareReconnect: (line) =>
      // Only when everything before is drawn is it known which of the two screens is active.
      terminal.write('\x18', () => {
        const { type } = terminal.buffer.active
        terminal.write(`${type === 'alternate' ? leaveAlternateScreen : ''}${resetModes}\r\n${line}\r\n`)
      }),
    dispose: () => terminal.dispose(),
  }
}

/** Pixels; what needs smaller characters is scrolled. */
const leastFontSize = 6

/** Makes the characters so small that all rows and columns have room, and no larger than a person wants them. */
function fitCharacters(
  terminal: Terminal,
  fit: FitAddon,
  wanted: number,
  { rows, cols }: { rows: number; cols: number },
): void {
  const sizeNow = terminal.options.fontSize ?? wanted
  const room = fit.proposeDimensions()
  if (!room || Number.isNaN(room.cols)) return
  const scale = Math.min(room.cols / cols, room.rows / rows)
  terminal.options.fontSize = Math.max(leastFontSize, Math.min(wanted, Math.floor(sizeNow * scale)))
}

/**
 * The emulator drops the selection when the number of rows changes, and does not move it when lines wrap anew. A search
 * goes on from the selection, so without it, it would start again at the newest match. Returns what selects it again.
 */
function markSelection(terminal: Terminal): (() => void) | undefined {
  const range = terminal.getSelectionPosition()
  if (!range) return undefined
  const { baseY, cursorY } = terminal.buffer.active
  const marker = terminal.registerMarker(range.start.y - baseY - cursorY)
  const length = terminal.cols * (range.end.y - range.start.y) + range.end.x - range.start.x
  return () => {
    if (marker.line >= 0) terminal.select(range.start.x, marker.line, length)
    marker.dispose()
  }
}

/** Software renderers: drawing with the DOM is faster than these. */
const softwareRenderers = /swiftshader|llvmpipe|softpipe|software|basic render/i

/** Whether this browser draws on a graphics card. */
function hasGraphicsCard(): boolean {
  const options = { failIfMajorPerformanceCaveat: true }
  const context = document.createElement('canvas').getContext('webgl2', options) as WebGL2RenderingContext | null
  if (!context) return false
  const names = context.getExtension('WEBGL_debug_renderer_info')
  const name = context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER)
  // Browsers keep few contexts: this one is not needed any more.
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return !softwareRenderers.test(String(name))
}

let hasCard: Promise<boolean> | undefined

/** Asking takes 20 ms and more: the prompt comes first, drawn with the DOM. */
function findGraphicsCard(): Promise<boolean> {
  hasCard ??= new Promise<void>((resume) => whenIdle(resume)).then(hasGraphicsCard)
  return hasCard
}

/**
 * Draws a terminal by WebGL while it is visible. A browser has about sixteen contexts for all of its tabs and may take
 * one away at any time; then the terminal is drawn with the DOM again.
 */
function createWebgl(terminal: Terminal) {
  let addon: WebglAddon | undefined
  let isMounted = false
  let isShown = false
  let hasFailed = false

  const drop = () => {
    addon?.dispose()
    addon = undefined
  }
  const update = async () => {
    if (!isMounted || !isShown || hasFailed) return drop()
    if (addon || !(await findGraphicsCard())) return
    const { WebglAddon } = await import('@xterm/addon-webgl')
    if (addon || !isShown || hasFailed || !terminal.element?.isConnected) return
    const next = new WebglAddon()
    next.onContextLoss(() => {
      hasFailed = true
      drop()
    })
    try {
      terminal.loadAddon(next)
      addon = next
    } catch (cause) {
      hasFailed = true
      next.dispose()
      console.warn('The terminal is drawn without WebGL.', cause)
    }
  }
  // Without the addon the terminal is drawn with the DOM.
  const tryUpdate = () => void update().catch((cause) => console.warn(cause))

  return {
    mounted: () => {
      isMounted = true
      tryUpdate()
    },
    setVisible: (shown: boolean) => {
      isShown = shown
      tryUpdate()
    },
  }
}
