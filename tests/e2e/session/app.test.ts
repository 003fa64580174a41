import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as passOn, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page, Worker } from '@playwright/test'
import type { PushPayload } from '../../../src/domain/app/pushPayload.ts'
import { createPushService, testDevice } from '../../support/fakes/pushService.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/journeys/cuttableProxy.ts'
import { droppedIn } from '../../support/journeys/gatewayJourney.ts'
import { expect, password, signIn, test } from '../../support/journeys/journey.ts'
import { expectToast, keepTextsOfToasts } from '../../support/journeys/toasts.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { spawnServer } from '../../support/server/process/spawnServer.ts'

test.use({ serviceWorkers: 'allow', serverName: 'as an app' })

/** Waits until the service worker has the page. */
const controlled = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? ''))
    .toMatch(/service-worker\.js$/)

interface AppManifest {
  name: string
  start_url: string
  scope: string
  display: string
  icons: { src: string; sizes: string; purpose: string }[]
  shortcuts: { name: string; url: string }[]
}

/** The manifest as the browser reads it, and what keeps it from installing the page. */
async function installation(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const { data = '{}', errors } = await devtools.send('Page.getAppManifest')
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  await devtools.detach()
  const manifest: AppManifest = JSON.parse(data)
  return { manifest, errors, installabilityErrors }
}

test('the console can be installed, with the name and in the language of the site', async ({ page, context }) => {
  await signIn(context)
  const { config } = (await send(context, 'GET', 'setting')) as { config: Record<string, unknown> }
  await send(context, 'PATCH', 'setting', { ...config, site_name: 'Acme', language: 'de-DE' })
  await page.goto('/dashboard')
  const { manifest, errors, installabilityErrors } = await installation(page)
  expect([errors, installabilityErrors]).toEqual([[], []])
  expect(manifest).toMatchObject({ name: 'Acme', start_url: '/dashboard', scope: '/dashboard', display: 'standalone' })
  expect(manifest.shortcuts.map(({ name, url }) => `${name}: ${url}`)).toEqual([
    'Server: /dashboard',
    'Vorfälle: /dashboard/incident',
    'Offene Terminals: /dashboard/terminals',
  ])
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    expect(size).toBe(sizes)
  }
  await send(context, 'PATCH', 'setting', { ...config, site_name: '', language: 'en-US' })
})

/** Shares as another app does: by the form that the manifest names. */
const share = (page: Page, files: readonly { name: string; size: number }[], texts: Record<string, string> = {}) =>
  page.evaluate(
    ([given, values]) => {
      const form = document.createElement('form')
      Object.assign(form, { action: '/dashboard/share', method: 'post', enctype: 'multipart/form-data' })
      const input = Object.assign(document.createElement('input'), {
        type: 'file',
        name: 'shared_files',
        multiple: true,
      })
      const data = new DataTransfer()
      for (const { name, size } of given) data.items.add(new File(['A'.repeat(size)], name))
      input.files = data.files
      form.append(input)
      for (const [name, value] of Object.entries(values)) {
        form.append(Object.assign(document.createElement('input'), { name, value }))
      }
      document.body.append(form)
      form.submit()
    },
    [files, texts] as const,
  )

test('files that another app shares are uploaded to the server and folder that somebody chooses', async ({
  page,
  context,
}) => {
  await signIn(context)
  await page.goto('/dashboard')
  await controlled(page)
  const files = [
    { name: 'photo.jpg', size: 120_000 },
    { name: 'notes.txt', size: 12 },
  ]
  await share(page, files)
  await expect(page.getByRole('heading', { name: '2 shared files' })).toBeVisible()
  await page.getByRole('button', { name: 'Open its files' }).click()
  await page.getByRole('button', { name: 'Upload here' }).click()
  await expect(page.getByText('2 files uploaded').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload here' })).toHaveCount(0)
  for (const { name } of files) await expect(page.getByText(name).first()).toBeVisible()
  await page.goto('/dashboard/share')
  await expect(page.getByText(/^Nothing is shared/)).toBeVisible()
})

test('shared files stay for a day, are taken up to a limit, and can be discarded', async ({ page, context }) => {
  await signIn(context)
  await page.goto('/dashboard')
  await controlled(page)
  const some = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, size: 1 }))
  await share(page, some(100))
  await expect(page.getByRole('heading', { name: '100 shared files' })).toBeVisible()
  await share(page, some(1))
  await expect(page.getByText(/^They were not taken: at most 100 files with 256 MiB/)).toBeVisible()
  await expect(page.getByRole('heading', { name: '100 shared files' })).toBeVisible()
  await page.clock.setFixedTime(Date.now() + 25 * 3_600_000)
  await page.goto('/dashboard/share')
  await expect(page.getByText(/^Nothing is shared/)).toBeVisible()
  await page.clock.setFixedTime(Date.now())
  await share(page, some(2))
  await expect(page.getByRole('heading', { name: '2 shared files' })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText(/^Nothing is shared/)).toBeVisible()
})

test('text that another app shares is searched for, an address by its host', async ({ page, context }) => {
  await signIn(context)
  await page.goto('/dashboard')
  await controlled(page)
  await share(page, [], { shared_title: 'A page', shared_text: 'look: https://web-1.example.org/x?y' })
  await expect(page.getByRole('combobox').first()).toHaveValue('web-1.example.org')
})

test.describe('a browser that has lost the worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('is told that what was shared was not taken', async ({ page, context }) => {
    await signIn(context)
    await page.goto('/dashboard')
    await expect(page.getByRole('table', { name: 'Servers' })).toBeVisible()
    await share(page, [{ name: 'large.bin', size: 3_000_000 }])
    await expect(page.getByText('The files were not taken. Share them again.')).toBeVisible()
  })
})

droppedIn.use({ serviceWorkers: 'allow' })

droppedIn('a server that only hands out the files has a manifest and a worker as well', async ({ page, context }) => {
  await signIn(context)
  await page.goto('/dashboard')
  const { manifest, errors, installabilityErrors } = await installation(page)
  expect([errors, installabilityErrors]).toEqual([[], []])
  expect(manifest).toMatchObject({ name: 'Wheelhouse', shortcuts: [] })
  // The scope is below the address of the list: this server sends no header that allows more.
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/dashboard/'))?.scope ?? ''))
    .toMatch(/\/dashboard\/$/)
})

test.describe('without a connection', () => {
  let network: CuttableProxy

  test.beforeEach(async ({ server }) => {
    network = await startCuttableProxy(server.address)
  })
  test.afterEach(async ({ faults }) => {
    await network.close()
    faults.length = 0
  })

  test('a page that is opened says so in the language of the person, and goes on by itself', async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn(context)
    await page.addInitScript(() => {
      localStorage.setItem('wheelhouse.locale', 'de-DE')
      localStorage.setItem('wheelhouse.theme', 'dark')
    })
    await page.goto(`${network.address}/dashboard`)
    await expect(page.locator('[data-row]').first()).toBeVisible()
    await controlled(page)
    // Nothing is kept that could be shown as new.
    expect(await page.evaluate(() => caches.keys())).toEqual([])

    network.cut()
    for (const path of ['/dashboard', '/dashboard/service/1/overview']) {
      await page.goto(network.address + path)
      await expect(page.getByRole('alert')).toHaveText(
        'Der Server ist nicht erreichbar. Bitte die Verbindung prüfen und erneut versuchen.',
      )
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    }
    await page.screenshot({ path: test.info().outputPath('offline.png') })
    // By its button, so that it must not go on by itself meanwhile.
    await page.evaluate(() => {
      for (let timer = window.setTimeout(() => {}); timer > 0; timer--) clearInterval(timer)
    })
    network.mend()
    await page.getByRole('button').click()
    await expect(page.getByRole('banner')).toBeVisible()
    network.cut()
    await page.goto(`${network.address}/dashboard`)
    await expect(page.getByRole('alert')).toBeVisible()
    network.mend()
    await expect(page.locator('[data-row]').first()).toBeVisible()
  })

  test('data are never answered by the worker', async ({ page, context }) => {
    await signIn(context)
    await page.goto(`${network.address}/dashboard`)
    await controlled(page)
    network.cut()
    const failure = await page.evaluate(() =>
      fetch('/api/v1/server').then(
        ({ status }) => `answered with ${status}`,
        () => 'failed',
      ),
    )
    expect(failure).toBe('failed')
  })
})

test.describe('on a server that was replaced by another product', () => {
  let front: Server
  /** How it answers for the file of the worker. */
  let answers: 'file' | 'page' | 'nothing' = 'file'

  test.beforeEach(async ({ server }) => {
    const target = new URL(server.address)
    front = createServer((asked, reply) => {
      if (asked.url === '/dashboard/service-worker.js' && answers !== 'file') {
        const isPage = answers === 'page'
        reply.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' }).end('<!doctype html>')
        return
      }
      const { hostname, port } = target
      const options = { hostname, port, path: asked.url, method: asked.method, headers: asked.headers }
      asked.pipe(
        passOn(options, (answer) => {
          reply.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(reply)
        }).on('error', () => reply.destroy()),
      )
    })
    await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening))
  })
  test.afterEach(({ faults }) => {
    faults.length = 0
    front.closeAllConnections()
    front.close()
  })

  for (const gone of ['page', 'nothing'] as const) {
    test(`the worker removes itself, where its file has become a ${gone}`, async ({ page, context }) => {
      answers = 'file'
      await signIn(context)
      const address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
      await page.goto(`${address}/dashboard`)
      await controlled(page)
      answers = gone
      // A worker looks once for each start of its own.
      const devtools = await context.newCDPSession(page)
      const { promise: hasStopped, resolve } = Promise.withResolvers<void>()
      devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
        if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve()
      })
      await devtools.send('ServiceWorker.enable')
      await devtools.send('ServiceWorker.stopAllWorkers')
      await hasStopped
      await page.goto(`${address}/dashboard/login`)
      await expect
        .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
        .toBe(0)
    })
  }
})

/** The scope of the worker, with what it has shown and opened. */
interface WorkerWithNotes {
  shown: Record<string, unknown>[]
  opened: string[]
  registration: { showNotification(title: string, options?: object): Promise<void> }
  clients: { openWindow(url: string): Promise<void> }
}

test.describe('a message', () => {
  const payload: PushPayload = {
    title: '[Incident] web-1',
    body: 'CPU 97 %',
    link: '/dashboard/incident/1/overview',
    tag: 'incident-1',
    at: 1_780_000_000_000,
    acknowledge: {
      path: '/acknowledge/1-1-1-0000000000000000000000000000000000000000',
      label: 'Acknowledge',
      states: { acknowledged: 'Acknowledged' },
      failed: 'Not acknowledged.',
    },
  }

  /** Delivers messages as a push service does. */
  async function push(page: Page, data: string): Promise<void> {
    const devtools = await page.context().newCDPSession(page)
    const { promise, resolve } = Promise.withResolvers<string>()
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId)
    })
    await devtools.send('ServiceWorker.enable')
    const { origin } = new URL(page.url())
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await promise, data })
    await devtools.detach()
  }

  /** The worker, in which messages are noted in place of being shown: the browser of the tests shows none. */
  async function noteMessages(context: BrowserContext): Promise<Worker> {
    // The page may know of it sooner than the driver.
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await worker.evaluate(() => {
      const scope = globalThis as unknown as WorkerWithNotes
      scope.shown = []
      scope.opened = []
      scope.registration.showNotification = async (title, options) => void scope.shown.push({ title, ...options })
      scope.clients.openWindow = async (url) => void scope.opened.push(url)
    })
    return worker
  }

  const shown = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as WorkerWithNotes).shown)
  const opened = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as WorkerWithNotes).opened)

  /** Clicks on a message. @param action its button; '' for the message itself */
  const click = (worker: Worker, data: unknown, action = '') =>
    worker.evaluate(
      ([notified, chosen]) => {
        const { ExtendableEvent } = globalThis as unknown as { ExtendableEvent: typeof Event }
        const notification = { data: notified, close: () => {} }
        const event = new ExtendableEvent('notificationclick')
        globalThis.dispatchEvent(Object.assign(event, { notification, action: chosen }))
      },
      [data, action] as const,
    )

  test.beforeEach(async ({ page, context }) => {
    await signIn(context)
    await page.goto('/dashboard')
    await controlled(page)
  })

  test('is shown with its button, in place of the one before, and one that cannot be read is shown too', async ({
    page,
    context,
  }) => {
    const worker = await noteMessages(context)
    await push(page, JSON.stringify(payload))
    const { title, body, tag, at, acknowledge } = payload
    await expect
      .poll(() => shown(worker))
      .toMatchObject([
        {
          title,
          body,
          tag,
          renotify: true,
          timestamp: at,
          actions: [{ action: 'acknowledge', title: acknowledge?.label }],
        },
      ])
    await push(page, 'no JSON')
    await expect.poll(async () => (await shown(worker))[1]).toMatchObject({ title: 'Wheelhouse' })
  })

  test('opens the page of its incident by a click, and acknowledges by its button', async ({ context }) => {
    const worker = await noteMessages(context)
    await click(worker, payload)
    await expect.poll(async () => (await opened(worker)).map((url) => new URL(url).pathname)).toEqual([payload.link])
    // A link of no use: what it cannot do is said.
    await click(worker, payload, 'acknowledge')
    await expect.poll(() => shown(worker)).toMatchObject([{ title: payload.title, body: 'Not acknowledged.' }])
    expect(await opened(worker)).toHaveLength(1)
  })

  test('leads to no other server', async ({ context }) => {
    const worker = await noteMessages(context)
    await click(worker, { ...payload, link: 'https://example.org/' })
    await click(worker, payload)
    await expect.poll(() => opened(worker)).toEqual([expect.stringContaining(payload.link)])
  })
})

test('a device is switched on, tested and deleted in the profile', async ({ browser }) => {
  const service = await createPushService()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-push-'))
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, selfSigned.cert)
  const environment = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, NODE_EXTRA_CA_CERTS: authority }
  const server = await spawnServer(environment)
  const device = testDevice(service.endpoint())
  const context = await browser.newContext({
    baseURL: server.address ?? '',
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 390, height: 844 },
    permissions: ['notifications'],
  })
  try {
    // The browser of the tests has no push service: this part of it is made up.
    await context.addInitScript(({ endpoint, p256dh, auth }) => {
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer
      const made = {
        endpoint,
        getKey: (name: string) => bytes(name === 'auth' ? auth : p256dh),
        unsubscribe: async () => {
          localStorage.removeItem('subscribed')
          return true
        },
      }
      Object.assign(PushManager.prototype, {
        subscribe: async (options: PushSubscriptionOptionsInit) => {
          if (!/^B[\w-]{86}$/.test(String(options.applicationServerKey))) throw new TypeError('That is no key.')
          localStorage.setItem('subscribed', 'yes')
          return made
        },
        getSubscription: async () => (localStorage.getItem('subscribed') ? made : null),
      })
    }, device.subscription)
    await keepTextsOfToasts(context)
    await signIn(context)
    const page = await context.newPage()
    await page.goto('/dashboard/profile')
    const devices = page.getByRole('region', { name: 'Messages on devices' })
    await devices.getByRole('button', { name: 'Switch on for this device' }).click()
    await expectToast(page, 'This device gets messages now. The first one is a test.')
    const entry = devices.getByRole('listitem')
    await expect(entry).toContainText(/^admin · Chrome.*This device · No message yet/)
    expect(service.messages.map(({ body }) => device.read(body).title)).toEqual(['a test message'])
    // Whoever is on duty is told on it.
    await expect(page.getByRole('region', { name: 'On-call duty' })).toContainText('admin · Chrome')
    await page.screenshot({ path: test.info().outputPath('devices.png'), fullPage: true })
    await entry.getByRole('button', { name: 'Send test' }).click()
    await expect.poll(() => service.messages.length).toBe(2)
    await page.reload()
    await expect(entry).toContainText('This device')
    await entry.getByRole('button', { name: /^Delete/ }).click()
    await expect(entry).toHaveCount(0)
    await expect(devices.getByRole('button', { name: 'Switch on for this device' })).toBeVisible()
  } finally {
    await context.close()
    service.close()
    server.kill('SIGTERM')
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  }
})
