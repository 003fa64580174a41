import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRecordingFiles } from '../../../server/sessions/recordingFiles.ts'
import { writeSite } from '../../../server/site/site.ts'
import type { Browser } from '../../support/console/browser.ts'
import { prompt, startTerminalServer, type TerminalServer } from '../../support/server/fixtures/terminalServer.ts'

const days = 86_400_000

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-recordings-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Listed {
  id: string
  username: string
  server_name: string
  seconds: number
  bytes: number
  is_running: boolean
  may_delete: boolean
}

async function list(browser: Browser, search = ''): Promise<Listed[]> {
  const { body } = await browser.call('GET', `wheelhouse/recordings${search && `?search=${search}`}`)
  return (body as { data?: { items?: Listed[] } }).data?.items ?? []
}

async function recordingServer(settings: { terminal_recording?: number; recorded_servers?: string }) {
  const recordingsFolder = join(temporaryFolder(), 'recordings')
  const server = await startTerminalServer({}, {}, { recordingsFolder })
  writeSite(server.store, settings)
  server.giveTo(2)
  return { server, recordingsFolder }
}

async function open(server: TerminalServer, username = 'member') {
  const browser = await server.signIn(username)
  const { session_id = '' } = await server.create(browser)
  const terminal = await server.attach(browser, `${session_id}?offset=0&state=1`)
  await terminal.until(prompt)
  const session = session_id.slice(0, 8)
  const record = (is_on: boolean) =>
    browser.call('POST', `wheelhouse/terminals/${session}/record`, { body: { is_on } }).then(({ body }) => body)
  return { ...terminal, browser, session, record }
}

/** Ends the shell, and waits until its recording is complete. */
async function finish(terminal: Awaited<ReturnType<typeof open>>): Promise<Listed> {
  terminal.type('exit\r')
  await terminal.closed
  await vi.waitFor(async () => expect(await list(terminal.browser)).toMatchObject([{ is_running: false }]))
  const [recording] = await list(terminal.browser)
  if (!recording) throw new Error('There is no recording.')
  return recording
}

const eventsIn = (cast: string) =>
  cast
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line): [number, string, string] => JSON.parse(line))
const outputIn = (cast: string) =>
  eventsIn(cast)
    .filter(([, code]) => code === 'o')
    .map(([, , data]) => data)
    .join('')

describe('a terminal on a server whose terminals are recorded', () => {
  it('is kept as asciicast v2 with who, where and when, and says so to everybody in it', async () => {
    const { server, recordingsFolder } = await recordingServer({ recorded_servers: '1' })
    const terminal = await open(server)
    expect(terminal.states.at(-1)).toMatchObject({ recording: 'always' })
    terminal.send(Buffer.concat([Buffer.of(1), Buffer.from('{"Rows":30,"Cols":100}')]))
    terminal.type("stty -echo; printf 'Pass''word: '; read secret; stty echo; echo wörks $((1 + 1))\r")
    // What is typed before the echo is off is on screen, and recorded.
    await terminal.until('Password: ')
    terminal.type('not for the file\r')
    await terminal.until('wörks 2')
    const recording = await finish(terminal)
    expect(recording).toMatchObject({ username: 'member', server_name: 'box', server_id: 1 })
    const [name = ''] = readdirSync(recordingsFolder)
    const cast = readFileSync(join(recordingsFolder, name), 'utf8')
    expect(JSON.parse(cast.slice(0, cast.indexOf('\n')))).toMatchObject({
      version: 2,
      width: 80,
      height: 24,
      timestamp: expect.any(Number),
      wheelhouse: { server_id: 1, server_name: 'box', user_id: 2, username: 'member' },
    })
    expect(outputIn(cast)).toContain('wörks 2')
    expect(cast).not.toContain('not for the file')
    expect(eventsIn(cast).filter(([, code]) => code === 'r')).toEqual([[expect.any(Number), 'r', '100x30']])
    expect(statSync(join(recordingsFolder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(recordingsFolder).mode & 0o777).toBe(0o700)
    expect(recording.bytes).toBe(Buffer.byteLength(cast))
    // The owner has no choice.
    const next = await open(server)
    expect(await next.record(false)).toEqual({ error: 'the settings say whether terminals are recorded' })
  })

  it('tells a client that is told nothing else in a line', async () => {
    const { server } = await recordingServer({ terminal_recording: 3 })
    const plain = await server.open('member')
    await plain.until('What this terminal prints is recorded.')
  })
})

describe('a terminal whose owner may record it', () => {
  it('is recorded from the button to the button', async () => {
    const { server } = await recordingServer({ terminal_recording: 2 })
    const terminal = await open(server)
    expect(terminal.states.at(-1)).toMatchObject({ recording: 'off' })
    terminal.type('echo before $((1 + 1))\r')
    await terminal.until('before 2')
    expect(await terminal.record(true)).toEqual({ success: true })
    await vi.waitFor(() => expect(terminal.states.at(-1)).toMatchObject({ recording: 'on' }))
    terminal.type('echo during $((1 + 1))\r')
    await terminal.until('during 2')
    await terminal.record(false)
    await vi.waitFor(() => expect(terminal.states.at(-1)).toMatchObject({ recording: 'off' }))
    terminal.type('echo after $((1 + 1))\r')
    await terminal.until('after 2')
    const { id } = await finish(terminal)
    const { text: cast } = await terminal.browser.call('GET', `wheelhouse/recordings/${id}/play`)
    expect(outputIn(cast)).toContain('during 2')
    expect(cast).not.toMatch(/before 2|after 2/)
  })

  it('is deleted by its owner, who pressed the button', async () => {
    const { server, recordingsFolder } = await recordingServer({ terminal_recording: 2 })
    const terminal = await open(server)
    await terminal.record(true)
    const { id, may_delete } = await finish(terminal)
    expect(may_delete).toBe(true)
    await terminal.browser.call('DELETE', `wheelhouse/recordings/${id}`)
    expect(readdirSync(recordingsFolder)).toEqual([])
  })

  it('names the administrator in the audit log who ended its recording', async () => {
    const { server } = await recordingServer({ terminal_recording: 2 })
    const terminal = await open(server)
    await terminal.record(true)
    const admin = await server.signIn()
    await admin.call('POST', `wheelhouse/terminals/${terminal.session}/record`, { body: { is_on: false } })
    const line = () => server.audit.find(({ action }) => action === 'recording.end')
    await vi.waitFor(() =>
      expect(line()).toMatchObject({ username: 'admin', detail: { outcome: 'ended by the button' } }),
    )
  })

  it('is not recorded where the settings do not allow it', async () => {
    const { server } = await recordingServer({})
    const terminal = await open(server)
    expect(terminal.states.at(-1)).toMatchObject({ recording: 'no' })
    expect(await terminal.record(true)).toEqual({ error: 'the settings say whether terminals are recorded' })
  })
})

describe('a recording', () => {
  it('is for administrators and for who had opened the terminal and may still use the server', async () => {
    const { server } = await recordingServer({ terminal_recording: 3 })
    const terminal = await open(server)
    const { id } = await finish(terminal)
    const [admin, other] = [await server.signIn(), await server.signIn('other')]
    expect(await list(admin, 'BOX')).toHaveLength(1)
    expect(await list(admin, 'elsewhere')).toEqual([])
    expect(await list(other)).toEqual([])
    for (const [method, end] of [
      ['GET', ''],
      ['GET', '/play'],
      ['GET', '/download'],
      ['DELETE', ''],
    ] as const) {
      const { body } = await other.call(method, `wheelhouse/recordings/${id}${end}`)
      expect(body).toEqual({ error: 'recording not found' })
    }
    const { body: shown } = await terminal.browser.call('GET', `wheelhouse/recordings/${id}`)
    expect(shown).toMatchObject({ data: { id, username: 'member', server_name: 'box', may_delete: false } })
    // Who is recorded because of the settings has no say in it.
    expect(await list(terminal.browser)).toMatchObject([{ may_delete: false }])
    const { body } = await terminal.browser.call('DELETE', `wheelhouse/recordings/${id}`)
    expect(body).toEqual({ error: 'permission denied' })
    server.giveTo(3)
    expect(await list(terminal.browser)).toEqual([])
    expect(await list(other)).toEqual([])
    expect(await list(admin)).toHaveLength(1)
  })

  it('leaves in the audit log who recorded, played, downloaded and deleted it', async () => {
    const { server, recordingsFolder } = await recordingServer({ terminal_recording: 3 })
    const terminal = await open(server)
    const { id } = await finish(terminal)
    const admin = await server.signIn()
    await admin.call('GET', `wheelhouse/recordings/${id}/play`)
    await admin.call('GET', `wheelhouse/recordings/${id}/download`)
    await admin.call('DELETE', `wheelhouse/recordings/${id}`)
    expect(readdirSync(recordingsFolder)).toEqual([])
    const lines = server.audit.filter(({ action }) => action.startsWith('recording.'))
    expect(lines).toMatchObject([
      { action: 'recording.begin', username: 'member', detail: { session: terminal.session, recording: id } },
      { action: 'recording.end', username: 'member', detail: { outcome: 'the terminal ended' } },
      { action: 'recording.play', username: 'admin', target: 'server 1', detail: { recording: id, owner: 'member' } },
      { action: 'recording.download', username: 'admin' },
      { action: 'recording.delete', username: 'admin' },
    ])
  })
})

describe('the files of recordings', () => {
  const header = { version: 2, width: 80, height: 24, timestamp: 1_700_000_000 }
  const about = {
    server_id: 1,
    server_name: 'box',
    user_id: 2,
    username: 'member',
    by_settings: true,
    began: 1_700_000_000_000,
  }
  const fail = (error: Error) => {
    throw error
  }

  it('can be played after a crash: what was cut is left out', async () => {
    const folder = temporaryFolder()
    const lost = await createRecordingFiles(folder, Date.now).create(header, { ...about, session: 'a' }, fail)
    lost.write('[1.5,"o","whole"]\n', 1.5)
    await lost.end()
    appendFileSync(join(folder, `${lost.id}.cast`), '[2.5,"o","cu')
    writeFileSync(join(folder, 'other.cast'), 'something else')
    const files = createRecordingFiles(folder, Date.now)
    const [recording] = await files.list()
    expect(recording).toMatchObject({ id: lost.id, username: 'member', seconds: 1.5, isRunning: false })
    if (!recording) throw new Error('There is no recording.')
    const cast = await text(files.read(recording))
    expect(eventsIn(cast)).toEqual([[1.5, 'o', 'whole']])
  })

  it('take no more than one may have, and make room for new ones', async () => {
    const folder = temporaryFolder()
    const limits = { bytes: 400, allBytes: 700, count: 3, headerBytes: 4096, tailBytes: 4096 }
    const files = createRecordingFiles(folder, () => about.began, limits)
    for (const session of ['a', 'b', 'c']) {
      const began = about.began + session.charCodeAt(0)
      const file = await files.create(header, { ...about, began, session }, fail)
      expect(file.write(`[1,"o","${'x'.repeat(100)}"]\n`, 1)).toBe(true)
      expect(file.write(`[2,"o","${'x'.repeat(200)}"]\n`, 2)).toBe(false)
      await file.end()
    }
    await files.tidy(days)
    expect((await files.list()).map(({ id }) => id.at(-1))).toEqual(['c', 'b'])
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('of others stay when somebody records without end', async () => {
    const folder = temporaryFolder()
    const limits = { bytes: 10_000, allBytes: 10_000, count: 5, headerBytes: 4096, tailBytes: 4096 }
    const files = createRecordingFiles(folder, () => about.began, limits)
    const recordOne = async (user_id: number, session: string) => {
      const file = await files.create(header, { ...about, user_id, session, began: about.began + user_id }, fail)
      await file.end()
    }
    await recordOne(2, 'evidence')
    for (let count = 0; count < 20; count += 1) {
      await recordOne(3, String(count))
      await files.tidy(days)
    }
    const sessions = (await files.list()).map(({ id }) => id.slice(id.lastIndexOf('-') + 1))
    expect(sessions).toHaveLength(5)
    expect(sessions).toContain('evidence')
  })

  it('that are being written take no more together than all may have and one more', async () => {
    const folder = temporaryFolder()
    const limits = { bytes: 1000, allBytes: 2000, count: 50, headerBytes: 4096, tailBytes: 4096 }
    const files = createRecordingFiles(folder, () => about.began, limits)
    const line = `[1,"o","${'x'.repeat(80)}"]\n`
    const open = await Promise.all(
      Array.from({ length: 10 }, (_, at) => files.create(header, { ...about, session: String(at) }, fail)),
    )
    for (let round = 0; round < 10; round += 1) for (const file of open) file.write(line, 1)
    for (const file of open) await file.end()
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3000)
  })

  it('are deleted when they are too old', async () => {
    const folder = temporaryFolder()
    let now = about.began
    const files = createRecordingFiles(folder, () => now)
    const file = await files.create(header, { ...about, session: 'a' }, fail)
    await file.end()
    now += 29 * days
    await files.tidy(30 * days)
    expect(await files.list()).toHaveLength(1)
    now += 2 * days
    await files.tidy(30 * days)
    expect(readdirSync(folder)).toEqual([])
  })
})
