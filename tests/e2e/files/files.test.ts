import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { call, send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'

let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

/** Asks for a socket as a browser does. */
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'd2hlZWxob3VzZSBlMmUgMQ==',
  'sec-websocket-version': '13',
}

const strangeNames = [
  'two  spaces and a dot .txt',
  `it's "quoted" & <b>.txt`,
  '火山 🌋 été.txt',
  '-rf *;$HOME`.txt',
  // 255 bytes: no name can be longer.
  `${'é'.repeat(125)}x.txt`,
]

test('files with any name are downloaded and uploaded unchanged', async ({ page }) => {
  const [from, to] = ['from', 'to'].map((name) => join(folder, name)) as [string, string]
  for (const path of [from, to]) mkdirSync(path)
  for (const name of strangeNames) writeFileSync(join(from, name), `content of ${name}`)
  expect(Buffer.byteLength(strangeNames.at(-1) ?? '')).toBe(255)
  const files = await openFilePanel(page)
  await files.goTo(from)
  await expect.poll(async () => (await files.names()).sort()).toEqual([...strangeNames].sort())
  for (const name of strangeNames) {
    expect(readFileSync(await files.download(name), 'utf8')).toBe(`content of ${name}`)
    await expect(files.downloading).toBeHidden()
  }

  await files.goTo(to)
  const buffers = strangeNames.map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(`content of ${name}`),
  }))
  await files.upload(buffers)
  await files.expectNotification(`${strangeNames.length} files uploaded`)
  expect(readdirSync(to).sort()).toEqual([...strangeNames].sort())
  for (const name of strangeNames) expect(readFileSync(join(to, name), 'utf8')).toBe(`content of ${name}`)
  await expect(files.row('🌋')).toBeVisible()
})

test('a second download of the same name is complete, whether longer or shorter than the first', async ({ page }) => {
  const sizes = { first: 2 ** 20 + 17, second: 2 ** 19 + 3, third: 3 * 2 ** 20 }
  for (const [place, size] of Object.entries(sizes)) {
    mkdirSync(join(folder, place))
    writeFileSync(join(folder, place, 'same.bin'), Buffer.alloc(size, place))
  }
  const files = await openFilePanel(page)
  for (const [place, size] of Object.entries(sizes)) {
    await files.goTo(join(folder, place))
    expect(readFileSync(await files.download('same.bin')).equals(Buffer.alloc(size, place))).toBe(true)
    await files.expectNotification('Downloaded: same.bin')
  }
})

test('a download is written completely to the place chosen in the file picker', async ({ page }) => {
  writeFileSync(join(folder, 'wanted.bin'), Buffer.alloc(2_500_000, 'wanted'))
  const files = await openFilePanel(page)
  await page.evaluate(() => {
    const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
    Object.assign(window, { showSaveFilePicker })
  })
  await files.goTo(folder)
  await files.panel.getByRole('button', { name: 'Download wanted.bin' }).click()
  await files.expectNotification('Downloaded: wanted.bin')
  const text = await page.evaluate(async () => {
    const picked = await (await navigator.storage.getDirectory()).getFileHandle('wanted.bin')
    return (await picked.getFile()).text()
  })
  expect(text === 'wanted'.repeat(500_000).slice(0, 2_500_000)).toBe(true)
})

test('a folder of 20,000 entries is navigated by keyboard and filter, and only visible rows are rendered', async ({
  page,
}) => {
  for (let number = 1; number <= 20_000; number += 1) writeFileSync(join(folder, `file ${number}`), '')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await expect(files.grid).toHaveAttribute('aria-rowcount', '20000')
  await expect.poll(async () => (await files.names()).slice(0, 3)).toEqual(['file 1', 'file 2', 'file 3'])
  await page.keyboard.press('End')
  await expect(files.row('file 20000')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('PageUp')
  await expect(files.row('file 20000')).toHaveAttribute('aria-selected', 'false')
  expect(await files.grid.getByRole('row').count()).toBeLessThan(100)
  await files.filter.fill('e 1999')
  await expect(files.grid).toHaveAttribute('aria-rowcount', '11')
  const matching = ['file 1999', ...Array.from({ length: 10 }, (_, digit) => `file 1999${digit}`)]
  await expect.poll(files.names).toEqual(matching)
})

test('a member cannot open files or a terminal of a server of another user', async ({ page, context, openBrowser }) => {
  const member = { username: 'second', password: 'another long password' }
  await send(context, 'POST', 'user', { ...member, role: 1 })
  const other = await openBrowser({ signedIn: false })
  await other.request.post('/api/v1/login', { data: member })

  const files = await openFilePanel(page)
  const theirs = await other.newPage()
  await theirs.goto('/dashboard/terminal/1')
  await expect(theirs.getByRole('dialog')).toContainText(/permission denied|does not exist/)
  await theirs.getByRole('button', { name: 'Files', exact: true }).click()
  const panel = theirs.getByRole('region', { name: /^Files of / })
  await expect(panel.getByRole('alert')).toContainText(/permission denied|does not exist/)
  await expect(panel.getByRole('grid')).toHaveCount(0)

  // Nor does the id of a session help that somebody else has opened.
  await expect(files.grid).toBeVisible()
  for (const [kind, path] of [
    ['terminal', 'terminal?id=1'],
    ['file', 'file?id=1'],
  ] as const) {
    const { data } = (await call(context, 'POST', path, { server_id: 1 })) as { data: { session_id: string } }
    const refused = await other.request.get(`/api/v1/ws/${kind}/${data.session_id}`, { headers: upgrade })
    expect(await refused.json()).toEqual({ error: 'permission denied' })
  }
})
