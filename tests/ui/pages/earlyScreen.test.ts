import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createEarlyScreen } from '../../../src/custom/terminal/screen/earlyScreen.ts'
import type { ScreenAppearance, ScreenEvents } from '../../../src/custom/terminal/screen/screen.ts'
import { earlyScreenPainted } from '../../../src/events/earlyScreen.ts'
import { FakeScreen } from '../../support/fakes/fakeScreen.ts'

beforeEach(() => {
  FakeScreen.made = []
})

function recordEvents() {
  const received: string[] = []
  const events = new Proxy({} as ScreenEvents, {
    get: (_, name) => (detail?: unknown) => void received.push(`${String(name)} ${detail ?? ''}`.trim()),
  })
  return { received, events }
}

const place = () => document.querySelector('.terminal-place')

describe('A screen that is drawn before its page', () => {
  it('is seen once the shell has written something, and leaves the window when the page has it', () => {
    const early = createEarlyScreen()
    expect(place()?.classList.contains('shown')).toBe(false)
    early.show(new TextEncoder().encode('root@vm:~# '))
    expect(place()?.classList.contains('shown')).toBe(true)
    expect(FakeScreen.newest.text).toBe('root@vm:~# ')
    const screen = early.take(FakeScreen.newest.look, recordEvents().events)
    screen.mount(document.createElement('div'))
    expect(place()).toBeNull()
  })

  it('says once the shell’s first output has been painted: the console is loaded then', async () => {
    vi.useFakeTimers()
    const onPainted = vi.fn()
    window.addEventListener(earlyScreenPainted, onPainted, { once: true })
    const early = createEarlyScreen()
    await vi.advanceTimersByTimeAsync(100)
    expect(onPainted).not.toHaveBeenCalled()
    early.show(new TextEncoder().encode('root@vm:~# '))
    expect(onPainted).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect(onPainted).toHaveBeenCalledOnce()
    early.dispose()
    vi.useRealTimers()
  })

  it('leaves the window when no page takes it, and when the page ends before it was drawn', () => {
    createEarlyScreen().dispose()
    expect(place()).toBeNull()
    const early = createEarlyScreen()
    early.take(FakeScreen.newest.look, recordEvents().events).dispose()
    expect(place()).toBeNull()
  })

  it('keeps what was typed until the page hears it, in its order', async () => {
    const early = createEarlyScreen()
    const { events: typed } = FakeScreen.newest
    typed.onText?.('l')
    typed.onTitle('root@vm')
    const { received, events } = recordEvents()
    early.take(FakeScreen.newest.look, events).mount(document.createElement('div'))
    typed.onText?.('s')
    // The page has no session for the screen before this.
    expect(received).toEqual([])
    await Promise.resolve()
    typed.onText?.('\r')
    expect(received).toEqual(['onText l', 'onTitle root@vm', 'onText s', 'onText'])
  })

  it('takes no paste: only the page asks about several lines', () => {
    const early = createEarlyScreen()
    const emulator = document.createElement('textarea')
    place()?.append(emulator)
    const onPaste = vi.fn()
    emulator.addEventListener('paste', onPaste)
    const paste = new Event('paste', { bubbles: true, cancelable: true })
    emulator.dispatchEvent(paste)
    expect([paste.defaultPrevented, onPaste.mock.calls.length]).toEqual([true, 0])
    early.dispose()
  })

  it('looks as the person has chosen, and then as the page says', () => {
    document.documentElement.dataset.theme = 'dark'
    localStorage.setItem('wheelhouse.choices.terminal.choices', '{"fontSize":20,"scheme":"light"}')
    createEarlyScreen().dispose()
    expect(FakeScreen.newest.look).toMatchObject({ fontSize: 20, scheme: 'light', screenReader: false })
    localStorage.clear()
    const early = createEarlyScreen()
    expect(FakeScreen.newest.look).toMatchObject({ fontSize: 13, scheme: 'dark' })
    const look: ScreenAppearance = { ...FakeScreen.newest.look, fontSize: 16 }
    early.take(look, recordEvents().events).dispose()
    expect(FakeScreen.newest.look).toBe(look)
    delete document.documentElement.dataset.theme
  })
})
