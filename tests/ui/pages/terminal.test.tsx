import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handleSocketRequests } from '../../../src/custom/terminal/socket/handleSocketRequests.ts'
import { takenOverCode } from '../../../src/schemas/frames/terminal.ts'
import { enterText } from '../../support/console/enterText.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { FakeScreen } from '../../support/fakes/fakeScreen.ts'
import { FakeSocket } from '../../support/fakes/fakeWebSocket.ts'
import { pageWorker } from '../../support/fakes/pageWorker.ts'

/** A socket that also records what the page has sent over it. */
class TerminalSocket extends FakeSocket {
  static readonly OPEN = 1
  sent: (string | Uint8Array)[] = []
  bufferedAmount = 0
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  send(data: string | Uint8Array) {
    this.sent.push(data)
  }
  /** What was typed, without sizes and the like. */
  get typed() {
    return this.sent.filter((data) => typeof data === 'string').join('')
  }
  output(text: string) {
    this.onmessage?.({ data: new TextEncoder().encode(text).buffer as unknown as string })
  }
  end(code = 1006) {
    ;(this.onclose as unknown as (event: { code: number }) => void)?.({ code })
  }
}

const sockets = () => FakeSocket.opened as TerminalSocket[]
const socket = () => FakeSocket.newest as TerminalSocket

beforeEach(() => {
  FakeSocket.opened = []
  FakeScreen.made = []
  sessionStorage.clear()
  vi.stubGlobal('WebSocket', TerminalSocket)
  vi.stubGlobal('Worker', pageWorker(handleSocketRequests))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.spyOn(window, 'close').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

interface SettingReply {
  data: { wheelhouse: { terminal_hold?: number } }
}

interface Options {
  /** The server's words instead of a session. */
  refusal?: string
  path?: string
  /** Whether it holds shells whose connection was lost. */
  holds?: boolean
}

/**
 * The terminal page of the first of three servers, on a server that gives out sessions and leaves their sockets to the
 * test.
 */
async function open({ refusal, path = '/dashboard/terminal/1', holds = false }: Options = {}) {
  let sessions = 0
  const rendered = await renderConsole({
    path,
    records: { server: ['web-1', 'web-2', 'web-3'].map((name, index) => ({ name, uuid: `u-${index + 1}` })) },
    prepare: (app: FastifyInstance) => {
      app.addHook('preSerialization', async ({ url }, _reply, payload) => {
        if (url === '/api/v1/setting' && !holds) delete (payload as SettingReply).data.wheelhouse.terminal_hold
        return payload
      })
      app.addHook('preHandler', async ({ url, body }, reply) => {
        if (url !== '/api/v1/terminal') return
        if (refusal) return reply.send({ error: refusal })
        const { server_id } = (typeof body === 'string' ? JSON.parse(body) : body) as { server_id: number }
        sessions += 1
        return reply.send({
          success: true,
          data: { session_id: `s-${sessions}`, server_id, server_name: `web-${server_id}` },
        })
      })
    },
  })
  return rendered
}

/** The newest session has opened, its shell has said something, and the page is drawn. */
async function connect(count = 1) {
  await waitFor(() => expect(sockets()).toHaveLength(count))
  await act(async () => {
    socket().onopen?.()
    socket().output('root@vm:~# ')
    await messagesOfWorkers()
  })
  // The session may open before the page is drawn.
  await screen.findByRole('button', { name: 'Open a terminal on another server' })
}

/** Until everything that is on its way between page and workers has come. */
const messagesOfWorkers = () => new Promise((resolve) => setTimeout(resolve))

const tool = (name: string | RegExp) => screen.getByRole('button', { name })

async function addServer(user: Awaited<ReturnType<typeof open>>['user'], name: string, count: number) {
  await user.click(tool('Open a terminal on another server'))
  const picker = await screen.findByRole('dialog', { name: 'Open a terminal on' })
  await user.click(await within(picker).findByRole('button', { name: new RegExp(name) }))
  await connect(count)
}

const pasteInto = (text: string) => {
  const data = { getData: () => text }
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: data })
  const pane = screen.getByRole('region', { name: /^Terminal on/ })
  act(() => void pane.lastElementChild?.dispatchEvent(event))
}

describe('The terminal page', () => {
  it('opens a session, names the server, and follows what the shell calls itself', async () => {
    await open()
    await connect()
    await screen.findByText('web-1')
    expect(screen.getByRole('heading', { name: /Terminal \(1\)/ })).toBeTruthy()
    expect(socket().url).toMatch(/^ws:.*\/api\/v1\/ws\/terminal\/s-1\?state=1$/)
    expect(FakeScreen.newest.text).toBe('root@vm:~# ')
    act(() => FakeScreen.newest.events.onTitle('vim\u202e notes.txt\n'))
    await waitFor(() => expect(document.title).toMatch(/^vim notes\.txt · Terminal \(1\) · web-1/))
  })

  it('lets no file that is dropped beside the file panel take the place of the terminals', async () => {
    await open()
    await connect()
    const drop = (types: string[]) => {
      const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer: { types } })
      act(() => void screen.getByRole('region', { name: /^Terminal on/ }).dispatchEvent(event))
      return event.defaultPrevented
    }
    expect(drop(['Files'])).toBe(true)
    expect(drop(['text/plain'])).toBe(false)
  })

  it('says what there is to say when there is no session, and tries again', async () => {
    const { user, network } = await open({ refusal: 'server not found or not connected' })
    const dialog = await screen.findByRole('dialog', {
      name: 'The server does not exist or has not been connected yet',
    })
    await user.click(within(dialog).getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(network.sent.filter(({ path }) => path === 'terminal')).toHaveLength(2))
  })

  it('says the server’s words when there are too many sessions', async () => {
    await open({ refusal: 'too many concurrent streams for this user' })
    await screen.findByText('too many concurrent streams for this user')
    await screen.findByText(/^Too many terminals and file sessions are open/)
  })

  it.each([
    [4001, /^Command execution is disabled in the settings of this machine’s agent/],
    [4002, /^The machine did not answer for ten seconds\. Command execution is probably disabled/],
    [4003, /^Too many terminals and file sessions are open/],
  ])('says why the machine opened no terminal, by the code %i of the server', async (code, text) => {
    await open()
    await waitFor(() => expect(sockets()).toHaveLength(1))
    act(() => socket().onopen?.())
    act(() => socket().end(code))
    const dialog = await screen.findByRole('dialog', { name: 'The terminal could not be opened' })
    within(dialog).getByText(text)
  })

  it('treats an address that is not valid like one of a server that does not exist', async () => {
    const { network } = await open({ path: '/dashboard/terminal/abc' })
    const page = within(await screen.findByRole('alert'))
    page.getByText('The server does not exist or has not been connected yet')
    page.getByRole('link', { name: 'Back to Dashboard' })
    expect(document.title).not.toContain('Terminal (0)')
    expect(network.sent.filter(({ path }) => path === 'terminal')).toEqual([])
  })

  it('says that the session has ended, and starts a new one below that line', async () => {
    const { user } = await open()
    await connect()
    act(() => socket().end())
    const dialog = await screen.findByRole('dialog', { name: 'Session completed' })
    within(dialog).getByText('You may close this window now.')
    await user.click(within(dialog).getByRole('button', { name: 'Reconnect' }))
    await connect(2)
    expect(FakeScreen.made).toHaveLength(1)
    expect(FakeScreen.newest.text).toMatch(/^root@vm:~# \n.*Reconnected at .*\nroot@vm:~# $/s)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('closes, or leads back to the list where the browser keeps the tab', async () => {
    const { user } = await open()
    await connect()
    act(() => socket().end())
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    expect(window.close).toHaveBeenCalled()
    await screen.findByRole('heading', { name: /Servers/ })
  })

  it('shows a refused upgrade differently from all other failures, with a hint', async () => {
    await open()
    await waitFor(() => expect(sockets()).toHaveLength(1))
    act(() => {
      socket().onerror?.()
      socket().end()
    })
    const toast = await screen.findByRole('alert')
    expect(toast.textContent).toMatch(/Websocket Error: web-1\. .*reverse proxy/)
    const check = screen.getByRole('link', { name: 'Check the connection' })
    expect([check.getAttribute('href'), check.getAttribute('target')]).toEqual(['/dashboard/doctor', '_blank'])
  })

  it('opens no terminal on the Enter that ends what an input method composes', async () => {
    const { user } = await open()
    await connect()
    await user.click(tool('Open a terminal on another server'))
    const picker = await screen.findByRole('dialog', { name: 'Open a terminal on' })
    await within(picker).findByRole('button', { name: /web-1/ })
    const field = within(picker).getByRole('textbox')
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    expect(picker.isConnected).toBe(true)
    fireEvent.keyDown(field, { key: 'Enter' })
    await connect(2)
  })

  it('closes the connection when the session ended in another tab, and says why', async () => {
    await open()
    await connect()
    const other = new BroadcastChannel('wheelhouse.session')
    other.postMessage({ type: 'ended' })
    await waitFor(() => expect(socket().isClosed).toBe(true))
    await screen.findByText(/^Your own session has ended\. Sign in again, then reconnect/)
    other.postMessage({ type: 'opened', person: { id: 1, role: 0 } })
    other.close()
    await waitFor(() => expect(screen.queryByLabelText('Password')).toBeNull())
  })
})

describe('A paste', () => {
  it('of one line goes straight to the shell', async () => {
    await open()
    await connect()
    pasteInto('ls')
    await messagesOfWorkers()
    expect(socket().typed).toBe('ls')
  })

  it('of several lines asks first, shown as it is, and can be called off', async () => {
    const { user } = await open()
    await connect()
    pasteInto('rm one\n\x1b[201~rm two\n')
    const question = await screen.findByRole('alertdialog', { name: 'Paste 2 lines into web-1?' })
    expect(question.textContent).toContain('␛[201~rm two')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(socket().typed).toBe('')
    pasteInto('one\ntwo')
    await user.click(await screen.findByRole('button', { name: 'Paste' }))
    expect(FakeScreen.newest.pasted).toEqual(['one\ntwo'])
  })

  it('no longer asks once that was chosen, in the next visit neither', async () => {
    const { user } = await open()
    await connect()
    pasteInto('one\ntwo')
    await user.click(await screen.findByRole('checkbox', { name: 'Do not ask again' }))
    await user.click(screen.getByRole('button', { name: 'Paste' }))
    pasteInto('three\nfour')
    expect(FakeScreen.newest.pasted).toEqual(['one\ntwo', 'three\nfour'])
    expect(localStorage.getItem('wheelhouse.choices.terminal.choices')).toContain('"asksBeforePaste":false')
  })
})

describe('Several terminals', () => {
  it('are in tabs, each with its server, and close one by one', async () => {
    const { user } = await open()
    await connect()
    await addServer(user, 'web-2', 2)
    await addServer(user, 'web-2', 3)
    const tabs = await screen.findByRole('list', { name: 'Terminals' })
    expect(
      within(tabs)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Connectedweb-1', 'Connectedweb-2', 'Connectedweb-2 (2)'])
    expect(FakeScreen.made.map(({ isShown }) => isShown)).toEqual([false, false, true])
    await user.click(tool('Close the terminal on web-2 (2)'))
    expect(sockets().map(({ isClosed }) => isClosed)).toEqual([false, false, true])
    expect(FakeScreen.made.map(({ isShown }) => isShown)).toEqual([false, true, true])
    await user.click(tool('Side by side'))
    expect(FakeScreen.made.slice(0, 2).map(({ isShown }) => isShown)).toEqual([true, true])
  })

  it('receive the same from one field, except those that were left out; several lines have to be confirmed', async () => {
    const { user } = await open()
    await connect()
    await addServer(user, 'web-2', 2)
    await addServer(user, 'web-3', 3)
    await user.click(tool('Send to all'))
    await user.type(screen.getByRole('textbox', { name: /^Command/ }), 'uptime{Enter}')
    expect(sockets().map(({ typed }) => typed)).toEqual(['uptime\r', 'uptime\r', 'uptime\r'])
    await user.click(screen.getByRole('checkbox', { name: 'web-2' }))
    await user.type(screen.getByRole('textbox', { name: /^Command/ }), 'cd /{Shift>}{Enter}{/Shift}ls{Enter}')
    const question = await screen.findByRole('alertdialog', { name: 'Send 2 lines to these servers?' })
    within(question).getByText('web-1, web-3')
    expect(socket().typed).toBe('uptime\r')
    await user.click(within(question).getByRole('button', { name: 'Send to 2 terminals' }))
    expect(sockets().map(({ typed }) => typed)).toEqual(['uptime\rcd /\rls\r', 'uptime\r', 'uptime\rcd /\rls\r'])
  })
})

describe('Around a terminal', () => {
  it('a link is asked about before it opens, and gets no referrer', async () => {
    const { user } = await open()
    await connect()
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    act(() => FakeScreen.newest.events.onLink('javascript:alert(1)'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    act(() => FakeScreen.newest.events.onLink('https://example.org/x'))
    await screen.findByText('https://example.org/x')
    await user.click(tool('Open link'))
    expect(opened).toHaveBeenCalledWith('https://example.org/x', '_blank', 'noopener,noreferrer')
  })

  it('a program is asked about once before it copies, and not again about what was copied or refused', async () => {
    const { user } = await open()
    await connect()
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const copies = (text: string) => act(() => FakeScreen.newest.events.onClipboard(text))
    copies('from vim')
    const question = await screen.findByRole('alertdialog', { name: 'Copy this to the clipboard?' })
    expect(within(question).getByText(/A program on web-1 asks for it/)).toBeTruthy()
    expect(within(question).getByText('from vim')).toBeTruthy()
    expect(copied).not.toHaveBeenCalled()
    await user.click(within(question).getByRole('button', { name: 'Copy' }))
    copies('more')
    expect(copied.mock.calls).toEqual([['from vim'], ['more']])
    await addServer(user, 'web-2', 2)
    copies('evil')
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    copies('evil again')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(copied).toHaveBeenCalledTimes(2)
  })

  it('a bell notifies only where that was chosen and the tab is hidden, and leads to its terminal', async () => {
    const shown: { title: string; onClick: () => void }[] = []
    class Notice {
      static permission = 'default'
      static requestPermission = async () => (Notice.permission = 'granted')
      title: string
      constructor(title: string) {
        this.title = title
      }
      addEventListener(_type: string, onClick: () => void) {
        shown.push({ title: this.title, onClick })
      }
      close() {}
    }
    vi.stubGlobal('Notification', Notice)
    vi.spyOn(window, 'focus').mockImplementation(() => {})
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    const { user } = await open()
    await connect()
    const rings = () => act(() => FakeScreen.made[0]?.events.onBell())
    rings()
    expect(shown).toEqual([])
    await user.click(tool('Terminal settings'))
    await user.click(await screen.findByRole('switch', { name: 'Notify of the bell while this tab is hidden' }))
    await waitFor(() => expect(Notice.permission).toBe('granted'))
    await user.keyboard('{Escape}')
    await addServer(user, 'web-2', 2)
    rings()
    expect(shown.map(({ title }) => title)).toEqual(['web-1'])
    hidden.mockReturnValue(false)
    rings()
    expect(shown).toHaveLength(1)
    act(() => shown[0]?.onClick())
    expect(screen.getByRole('button', { current: true }).textContent).toContain('web-1')
  })

  it('snippets are stored, inserted, run and restored after a deletion', async () => {
    const { user } = await open()
    await connect()
    await user.click(tool('Snippets'))
    await user.click(await screen.findByRole('button', { name: 'New snippet' }))
    await enterText(user, screen.getByRole('textbox', { name: 'Name' }), 'Disk')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Required')
    await enterText(user, screen.getByRole('textbox', { name: 'Text' }), 'df -h')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Insert' }))
    expect(socket().typed).toBe('df -h')
    await user.click(tool('Snippets'))
    await user.click(await screen.findByRole('button', { name: 'Run' }))
    expect(socket().typed).toBe('df -hdf -h\r')
    await user.click(tool('Snippets'))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('df -h')
  })

  it('a file of snippets that cannot be read is refused with a message, and a good one is taken', async () => {
    const { user } = await open()
    await connect()
    await user.click(tool('Snippets'))
    await screen.findByText(/^Snippets are commands/)
    const choose = (text: string) =>
      user.upload(screen.getByLabelText('Import', { selector: 'input' }), new File([text], 'mine.json'))
    await choose('[{"text": "x"}]')
    await screen.findByText('mine.json: snippet 1 has no name. Nothing was imported.')
    await choose('{"snippets": [{"name": "Load", "text": "uptime"}]}')
    await screen.findByText('Imported: 1 new snippet')
    await screen.findByText('uptime')
  })

  it('choices apply at once, to all terminals', async () => {
    const { user } = await open()
    await connect()
    expect(FakeScreen.newest.look).toMatchObject({ fontSize: 13, screenReader: false })
    await user.click(tool('Terminal settings'))
    await user.click(await screen.findByRole('switch', { name: 'Screen reader mode' }))
    const size = screen.getByRole('spinbutton', { name: 'Font size' })
    await user.clear(size)
    await user.type(size, '18')
    await user.click(screen.getByRole('radio', { name: 'Dark' }))
    expect(FakeScreen.newest.look).toMatchObject({ fontSize: 18, screenReader: true, scheme: 'dark' })
  })

  it('leaving asks while a shell is running, and only then', async () => {
    await open()
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return event.defaultPrevented
    }
    await waitFor(() => expect(sockets()).toHaveLength(1))
    expect(leave()).toBe(false)
    await connect()
    expect(leave()).toBe(true)
    act(() => socket().end())
    await screen.findByRole('dialog', { name: 'Session completed' })
    expect(leave()).toBe(false)
  })
})

describe('A terminal whose shell the server holds', () => {
  it('comes back by itself when its connection was lost, and says that it is the same shell', async () => {
    await open({ holds: true })
    await connect()
    act(() => socket().end())
    await screen.findByText('The connection is lost. Trying again…')
    await waitFor(() => expect(sockets()).toHaveLength(2))
    const { length } = 'root@vm:~# '
    expect(socket().url).toMatch(new RegExp(`/ws/terminal/s-1\\?offset=${length}&state=1$`))
    await act(async () => {
      socket().onopen?.()
      socket().onmessage?.({ data: JSON.stringify({ from: length, to: length, modes: '' }) })
      await messagesOfWorkers()
    })
    await screen.findByText('web-1: the same shell as before.')
    expect(screen.queryByText('The connection is lost. Trying again…')).toBeNull()
  })

  it('says when another window shows it, and takes it back', async () => {
    const { user } = await open({ holds: true })
    await connect()
    act(() => socket().end(takenOverCode))
    const card = await screen.findByRole('dialog', { name: 'Shown in another window' })
    await user.click(within(card).getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(socket().url).toMatch(/s-1\?offset=11&state=1$/))
  })

  it('asks nothing when the page is left', async () => {
    await open({ holds: true })
    await connect()
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(false)
  })
})

describe('The server list', () => {
  it('leads from every server to its terminal, in a tab of its own', async () => {
    await open({ path: '/dashboard' })
    const link = await screen.findByRole('link', { name: 'Open a terminal on web-2' })
    expect(link.getAttribute('href')).toBe('/dashboard/terminal/2')
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener'])
  })

  it('and so does the command palette', async () => {
    const { user } = await open({ path: '/dashboard' })
    await screen.findByText('web-2')
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: /^Go to a screen/ }), 'web-3')
    await user.click(await screen.findByRole('option', { name: /^Open a terminal on web-3/ }))
    expect(opened).toHaveBeenCalledWith('/dashboard/terminal/3', '_blank', 'noopener')
  })
})
