import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { TestAgent } from '../../tests/support/agent/testAgent.ts'
import { chromiumArgs, findChromium } from '../../tests/support/journeys/chromium.ts'
import { root } from '../bootstrap/paths.mjs'
import { password, startDemoServer, username } from './demoServer.ts'
import { shownServer } from './history.ts'

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
  /** What to do before the picture is taken. @returns what to do after it, if anything */
  prepare?: (page: Page) => Promise<(() => Promise<void>) | void>
}

/** The charts of an overview are below its metrics, and on a phone below more. */
async function chartsDrawn(page: Page): Promise<void> {
  await page.getByRole('slider').first().waitFor()
}

/** A machine is being added: its agent has connected, and gets a name. */
async function agentConnected(page: Page): Promise<() => Promise<void>> {
  const reply = await page.request.get('/api/v1/profile')
  const { agent_secret: secret } = ((await reply.json()) as { data: { agent_secret: string } }).data
  await page.getByRole('button', { name: 'Install agent' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('monitor.example.org:443')
  await dialog.getByRole('checkbox', { name: 'Connect over TLS' }).check()
  await dialog.getByText(/^curl -L /).waitFor()
  const server = new URL(page.url()).host
  const agent = new TestAgent({ server, secret, traces: false, addresses: { ipv4: '203.0.113.40' } })
  agent.start()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('shop-ams-1')
  return () => agent.stop()
}

const shots: readonly Shot[] = [
  { name: 'servers', path: '/dashboard?pageSize=20', size: desk, themes: both },
  { name: 'servers-phone', path: '/dashboard', size: phone, themes: both },
  { name: 'server', path: `/dashboard/server/${shownServer}/overview`, size: desk, themes: both, prepare: chartsDrawn },
  {
    name: 'server-phone',
    path: `/dashboard/server/${shownServer}/overview`,
    size: phone,
    themes: both,
    prepare: chartsDrawn,
  },
  { name: 'service', path: '/dashboard/service/1/overview', size: desk, themes: both, prepare: chartsDrawn },
  { name: 'service-phone', path: '/dashboard/service/1/overview', size: phone, themes: both, prepare: chartsDrawn },
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
  // The last one, because each of its pictures adds a server.
  { name: 'install', path: '/dashboard?pageSize=20', size: desk, themes: both, prepare: agentConnected },
]

export async function takeAll(): Promise<void> {
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
  const tidyUp = await shot.prepare?.(page)
  // Long enough for a second report, so that every metric on the picture has moved at least once.
  await page.waitForTimeout(2500)
  const path = join(folder, `${shot.name}-${colorScheme}.png`)
  await page.screenshot({ path })
  await tidyUp?.()
  await context.close()
  const { size } = statSync(path)
  console.log(`${path}: ${Math.round(size / 1000)} kB`)
  if (size > most) throw new Error(`${path} has ${size} bytes; at most ${most} are meant to be in the repository.`)
}
