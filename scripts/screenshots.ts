import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumArgs, findChromium } from '../tests/support/journeys/chromium.ts'
import { readArguments } from './bootstrap/arguments.mjs'
import { root } from './bootstrap/paths.mjs'
import { password, startDemoServer, username } from './screenshots/demoServer.ts'

const folder = join(root, 'docs', 'images')
/** Bytes. The README is read over slow lines too. */
const most = 250_000

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const both = ['light', 'dark'] as const
type Theme = (typeof both)[number]

interface Shot {
  name: string
  path: string
  size: typeof desk
  themes: readonly Theme[]
  /** What to do before the picture is taken. */
  prepare?: (page: Page) => Promise<void>
}

const shots: readonly Shot[] = [
  { name: 'servers', path: '/dashboard?pageSize=20', size: desk, themes: both },
  { name: 'servers-phone', path: '/dashboard', size: phone, themes: both },
  { name: 'form', path: '/dashboard/server-group/2', size: desk, themes: ['light'] },
  {
    name: 'palette',
    path: '/dashboard?pageSize=20',
    size: desk,
    themes: ['dark'],
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('web')
    },
  },
]

async function takeAll(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const server = await startDemoServer()
  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArgs] })
  try {
    for (const shot of shots) {
      for (const theme of shot.themes) await take(browser, server.address, shot, theme)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function take(browser: Browser, baseURL: string, shot: Shot, colorScheme: Theme): Promise<void> {
  const context = await browser.newContext({
    baseURL,
    viewport: shot.size,
    colorScheme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  await context.request.post('/api/v1/login', { data: { username, password } })
  const page = await context.newPage()
  await page.goto(shot.path)
  await page.getByText('Online', { exact: true }).first().or(page.getByRole('dialog')).waitFor()
  await shot.prepare?.(page)
  // Long enough for a second report, so that every metric on the picture has moved at least once.
  await page.waitForTimeout(2500)
  const path = join(folder, `${shot.name}-${colorScheme}.png`)
  await page.screenshot({ path })
  await context.close()
  const { size } = statSync(path)
  console.log(`${path}: ${Math.round(size / 1000)} kB`)
  if (size > most) throw new Error(`${path} has ${size} bytes; at most ${most} are meant to be in the repository.`)
}

readArguments({
  name: 'npm run screenshots --',
  description: 'Takes the pictures of the README in docs/images: the real console on made-up servers.',
})
await takeAll()
