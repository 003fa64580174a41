import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalPane } from '../../support/console/terminalPage.ts'
import { expect, test } from '../../support/journeys/killableJourney.ts'

const seconds = 3600
const perSecond = 10

/** An hour of a chatty program, 50 MiB. Each event ends with its number. */
function longRecording(): string {
  const header = {
    version: 2,
    width: 120,
    height: 30,
    timestamp: Math.floor(Date.now() / 1000) - 2 * seconds,
    wheelhouse: { server_id: 1, server_name: 'chatty', user_id: 1, username: 'admin', by_settings: true },
  }
  const line = `\x1b[32m${'compiled with warnings '.repeat(4)}\x1b[0m\r\n`
  const events = Array.from({ length: seconds * perSecond }, (_, index) =>
    JSON.stringify([index / perSecond, 'o', `${line.repeat(13)}mark ${index}\r\n`]),
  )
  return `${JSON.stringify(header)}\n${events.join('\n')}\n`
}

test('an hour and 50 MiB are jumped through, searched, and are no objects in memory', async ({
  page,
  context,
  killable,
}) => {
  const folder = join(killable.folder, 'data', 'recordings')
  const file = longRecording()
  expect(file.length).toBeGreaterThan(50 * 2 ** 20)
  // Recordings are read when the server starts.
  await killable.kill()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'long-a1b2c3d4.cast'), file)
  await killable.revive()
  await page.goto(`${killable.address}/dashboard/terminals/recordings/long-a1b2c3d4`)
  const played = terminalPane(page)
  await played.expectText(/^mark \d+$/m)
  await page.getByRole('button', { name: 'Pause' }).click()

  const slider = page.getByRole('slider', { name: 'Position' })
  const position = async () => Number(await slider.getAttribute('aria-valuenow'))
  const jumpTo = async (part: number) => {
    const box = await slider.locator('xpath=ancestor::span[contains(@class, "MuiSlider-root")]').boundingBox()
    if (!box) throw new Error('There is no slider.')
    await page.mouse.click(box.x + box.width * part, box.y + box.height / 2)
    await expect.poll(async () => Math.abs((await position()) / seconds - part)).toBeLessThan(0.01)
    const mark = Math.floor((await position()) * perSecond + 0.001)
    await played.expectText(new RegExp(`^mark ${mark}$`, 'm'))
  }
  // At once, also before all of it was gone through.
  await jumpTo(0.95)
  for (const part of [0.1, 0.5, 0.02, 0.75, 0.3]) await jumpTo(part)

  await page.getByRole('textbox', { name: 'Search in the output' }).fill('MARK 35990')
  await page.getByRole('button', { name: 'Newer match' }).click()
  await played.expectText(/^mark 35990$/m)

  // The file itself is outside of the heap of scripts.
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  expect(usedSize).toBeLessThan(40 * 2 ** 20)
})
