import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { terminalPane } from '../../support/console/terminalPage.ts'
import type { FrameTap, SentMessage } from '../../support/journeys/frameTap.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { test } from '../../support/journeys/tappedJourney.ts'
import { type RecordedMessage, readSocketRecording } from '../../support/recorded/socketRecording.ts'

let folder: string

test.beforeEach(async ({ page, context }) => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-frames-')))
  await signIn(context)
  // What only the embedded server offers is not offered there.
  await page.route('**/api/v1/setting', async (route) => {
    const reply = await route.fetch()
    const { success, data } = await reply.json()
    await route.fulfill({ response: reply, json: { success, data: { ...data, wheelhouse: undefined } } })
  })
})

test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A message as far as it can be compared. Keys go one by one, in the recording a line at a time. */
interface Frame {
  opcode: string
  length: number
  hex: string
}

/** What was sent to the real server, with the folder of its files replaced by ours. */
function recorded(file: string, wanted: (message: RecordedMessage) => boolean = () => true): Frame[] {
  const ours = Buffer.from(folder)
  return readSocketRecording(file)
    .filter(({ dir, opcode }) => dir === 'out' && opcode !== 'close')
    .filter(wanted)
    .map(({ opcode, hex, hex_head, text, length }) => {
      if (opcode === 'text') return frameOf('text', Buffer.from(text ?? ''))
      if (hex_head !== undefined) return { opcode, length: length ?? 0, hex: '' }
      return frameOf(opcode, replaced(Buffer.from(hex ?? '', 'hex'), Buffer.from('/srv/demo'), ours))
    })
}

function replaced(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  const at = bytes.indexOf(from)
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)])
}

const frameOf = (opcode: string, bytes: Buffer): Frame => ({ opcode, length: bytes.length, hex: bytes.toString('hex') })

/** What the console sent; of data only the length counts, for the files prove the rest. */
const framesOf = (sent: readonly SentMessage[] = []): Frame[] =>
  sent.map(({ opcode, length, head }) =>
    length > head.length ? { opcode, length, hex: '' } : { opcode, length, hex: head.toString('hex') },
  )

function withWholeLines(frames: readonly Frame[]): Frame[] {
  const lines: Frame[] = []
  for (const frame of frames) {
    const last = lines.at(-1)
    const isOpen = frame.opcode === 'text' && last?.opcode === 'text' && !last.hex.endsWith('0d')
    if (!isOpen) lines.push(frame)
    else lines.splice(-1, 1, { ...last, length: last.length + frame.length, hex: last.hex + frame.hex })
  }
  return lines
}

test('a terminal sends the recorded frames: its size after 1.5 s, then lines of text', async ({ page, tap }) => {
  // 40 rows of 120, as it was then.
  await fitWindow(page, tap)
  await page.goto('/dashboard/terminal/1')
  const shell = terminalPane(page)
  await shell.expectText(/\S/)
  const sent = () => tap.sent('terminal').at(-1) ?? []
  await expect.poll(() => sent().length).toBe(1)
  await shell.focus()
  for (const line of ['stty size', 'echo hi', 'exit']) {
    await page.keyboard.type(line)
    await page.keyboard.press('Enter')
    if (line !== 'exit') await shell.expectText(line === 'stty size' ? /^40 120$/m : /^hi$/m)
  }
  await expect(page.getByRole('dialog', { name: 'Session completed' })).toBeVisible()
  // Typed text in binary frames was tried in the recording, and is never sent by a console.
  const wasTried = ({ opcode, hex }: RecordedMessage) => opcode === 'binary' && !hex?.startsWith('01')
  expect(withWholeLines(framesOf(sent()))).toEqual(recorded('ws-terminal-session', (message) => !wasTried(message)))
  expect(sent()[0]?.after).toBeGreaterThanOrEqual(1500)
})

/** Gives the window the size in which a terminal has 40 rows of 120 columns. */
async function fitWindow(page: Page, tap: FrameTap): Promise<void> {
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto('/dashboard/terminal/1')
  const sizes = () =>
    (tap.sent('terminal').at(-1) ?? [])
      .filter(({ opcode, head }) => opcode === 'binary' && head[0] === 1)
      .map(({ head }) => JSON.parse(head.toString('utf8', 1)) as { Rows: number; Cols: number })
  await expect.poll(() => sizes().length).toBeGreaterThan(0)
  // The size that was sent and the screen may be of different moments: then the next try starts from newer numbers.
  await expect(async () => {
    const size = sizes().at(-1)
    const screen = await page.locator('.xterm-screen').boundingBox()
    const view = page.viewportSize()
    if (!size || !screen || !view) throw new Error('There is no screen.')
    await page.setViewportSize({
      width: Math.round(view.width + (120 - size.Cols) * (screen.width / size.Cols)),
      height: Math.round(view.height + (40 - size.Rows) * (screen.height / size.Rows)),
    })
    await expect.poll(() => sizes().at(-1), { timeout: 2000 }).toEqual({ Rows: 40, Cols: 120 })
  }).toPass()
}

test('the file manager sends the recorded frames byte for byte', async ({ page, tap }) => {
  mkdirSync(join(folder, 'dir1'))
  writeFileSync(join(folder, 'big.bin'), Buffer.alloc(3 * 2 ** 20, 'big'))
  writeFileSync(join(folder, 'small.txt'), 'hello\n')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.download('big.bin')
  await expect(files.downloading).toBeHidden()
  await files.download('small.txt')
  await expect(files.downloading).toBeHidden()
  const upload = async (name: string, bytes: number, word: string | RegExp = '1 file uploaded') => {
    await files.upload({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(bytes, name) })
    await files.expectNotification(word)
    await expect(files.row(name)).toBeVisible()
  }
  await upload('up.bin', 2.5 * 2 ** 20)
  await upload('up0.bin', 0)

  const [home] = recorded('ws-file-list', ({ hex }) => hex === '00')
  const list = recorded('ws-file-list', ({ hex }) => hex === '002f7372762f64656d6f')[0]
  const big = recorded('ws-file-download-3MiB')
  const [small] = recorded('ws-file-download-small-and-errors')
  const expected = [
    home,
    list,
    ...big,
    small,
    // A target is looked at before it is written, and once more when all is there.
    list,
    ...recorded('ws-file-upload-2.5MiB'),
    list,
    list,
    ...recorded('ws-file-upload-empty'),
    list,
  ]
  // What sends files has a session of its own.
  const sent = () => tap.sent('file').flatMap(framesOf)
  await expect.poll(() => sent().length).toBe(expected.length)
  expect(sent()).toEqual(expected)
})

test('no file content is sent after the machine has refused an upload', async ({ page, tap }) => {
  mkdirSync(join(folder, 'elsewhere'))
  // A list does not show that a link leads to a folder.
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'dir1'))
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.upload({ name: 'dir1', mimeType: 'text/plain', buffer: Buffer.from('abc') })
  await page.getByRole('alertdialog').getByRole('button', { name: 'Overwrite 1 file' }).click()
  const failed = page.getByRole('dialog', { name: '1 file was not uploaded' })
  await expect(failed).toContainText(`open ${folder}/dir1: is a directory`)

  const list = recorded('ws-file-list', ({ hex }) => hex === '002f7372762f64656d6f')[0]
  // In the recording its three bytes came all the same, and were read as a command.
  const [header] = recorded('ws-file-upload-error-then-data')
  const sent = () => tap.sent('file').flatMap(framesOf).slice(2)
  await expect.poll(() => sent().length).toBe(3)
  expect(sent()).toEqual([list, header, list])
})
