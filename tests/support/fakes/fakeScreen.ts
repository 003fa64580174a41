import type {
  CreateScreen,
  Screen,
  ScreenAppearance,
  ScreenEvents,
} from '../../../src/custom/terminal/screen/screen.ts'

/** A terminal emulator that draws nothing and remembers everything. */
export class FakeScreen {
  /** Every screen made so far, oldest first. */
  static made: FakeScreen[] = []
  static get newest(): FakeScreen {
    const screen = FakeScreen.made.at(-1)
    if (!screen) throw new Error('Nobody has made a screen yet.')
    return screen
  }

  /** What was written, as text. */
  text = ''
  pasted: string[] = []
  look: ScreenAppearance
  isShown = false
  readonly events: ScreenEvents

  constructor(look: ScreenAppearance, events: ScreenEvents) {
    this.look = look
    this.events = events
    FakeScreen.made.push(this)
  }
}

/** As far as the page uses a screen, this is one. */
export const createFakeScreen: CreateScreen = (look, events): Screen => {
  const fake = new FakeScreen(look, events)
  return {
    write: (data, done) => {
      fake.text += typeof data === 'string' ? data : new TextDecoder().decode(data)
      done()
    },
    size: () => ({ rows: 24, cols: 80 }),
    mount: () => {},
    fit: () => {},
    setSize: () => {},
    focus: () => {},
    setAppearance: (next) => {
      fake.look = next
    },
    setVisible: (isShown) => {
      fake.isShown = isShown
    },
    paste: (text) => {
      fake.pasted.push(text)
      events.onText?.(text)
    },
    arrow: (direction) => `<${direction}>`,
    selection: () => 'selected',
    find: () => {},
    onSearchResults: () => () => {},
    endSearch: () => {},
    prepareReconnect: (line) => {
      fake.text += `\n${line}\n`
    },
    dispose: () => {},
  }
}
