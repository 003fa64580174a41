import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

/** Something that can be reached on this machine. @returns it, and `host:port` */
async function startListener(): Promise<[Server, string]> {
  const listener = createServer((socket) => socket.end())
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = listener.address()
  if (!address || typeof address === 'string') throw new Error('The listener has no port.')
  return [listener, `127.0.0.1:${address.port}`]
}

/** The form asks for 30 s at least; other programs may choose less. */
async function addService(page: Page, target: string): Promise<void> {
  const { cookies } = await page.context().storageState()
  const reply = await page.request.post('/api/v1/service', {
    headers: { 'X-CSRF-Token': cookies.find(({ name }) => name === 'nz-csrf')?.value ?? '' },
    data: { name: 'Listener', type: 3, target, duration: 2, cover: 0, skip_servers: {}, notification_group_id: 0 },
  })
  expect(await reply.json()).toMatchObject({ success: true })
}

const row = (page: Page) => page.getByRole('table', { name: 'Services' }).getByRole('row', { name: /Listener/ })

async function openCharts(page: Page, list: string, name: string) {
  await page.goto(list)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Charts' }).click()
  return page.getByRole('dialog', { name: `Charts of “${name}”` })
}

/** Whether anything of that colour was drawn on a canvas. */
const isPainted = (page: Page, [red, green, blue]: readonly number[]) =>
  page.locator('canvas').evaluate(
    (canvas: HTMLCanvasElement, wanted) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      for (let at = 0; at < data.length; at += 4) {
        if (wanted.every((part, index) => part === data[at + index]) && data[at + 3] === 255) return true
      }
      return false
    },
    [red, green, blue],
  )

test('a service on this machine has a latency chart, and is shown as down when it has stopped', async ({
  page,
  context,
}) => {
  await signIn(context)
  const [listener, target] = await startListener()
  try {
    await addService(page, target)
    await page.goto('/dashboard/service')
    await expect(async () => {
      await page.reload()
      await expect(row(page)).toContainText(/Up 100% · [\d.]+ ms/, { timeout: 1000 })
    }).toPass()

    const dialog = await openCharts(page, '/dashboard/service', 'Listener')
    await expect(dialog.getByText('100% up', { exact: true })).toBeVisible()
    const line = dialog.getByRole('row').nth(1)
    await expect(line).toContainText(/100%.*ms/)
    // The line has the console's own colour.
    await expect.poll(() => isPainted(page, [0x0f, 0x76, 0x6e])).toBe(true)
    const slider = dialog.getByRole('slider', { name: 'Point in time' })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect(slider).toHaveAttribute('aria-valuetext', /, \S+ [\d.]+ ms$/)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  } finally {
    await once(listener.close(), 'close')
  }

  await expect(async () => {
    await page.reload()
    await expect(row(page)).toContainText('Down', { timeout: 1000 })
  }).toPass()
  const dialog = await openCharts(page, '/dashboard/service', 'Listener')
  await expect(dialog.getByRole('alert')).toContainText(/refused/i)
  await expect(dialog.getByRole('listitem').last()).toContainText(/[1-9]\d* failed check/)
})

test('a server shows charts of its metrics and of the latency of services it checks', async ({ page, context }) => {
  await signIn(context)
  await page.goto('/dashboard')
  const name = await page.getByRole('button', { name: /^Actions for/ }).getAttribute('aria-label')
  const dialog = await openCharts(page, '/dashboard', (name ?? '').replace('Actions for ', ''))
  await expect(dialog.getByRole('heading', { name: 'CPU' })).toBeVisible()
  await expect(dialog.getByRole('row').nth(1)).toContainText(/CPU.*%/)
  await dialog.getByRole('combobox', { name: 'Metric' }).selectOption('Memory')
  await expect(dialog.getByRole('row').nth(1)).toContainText(/Memory.*iB/)
  await dialog.getByRole('button', { name: '30 days' }).click()
  await expect(dialog.getByRole('row').nth(1)).toContainText(/Memory.*iB/)
})
