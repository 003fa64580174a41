import { expect, type Page } from '@playwright/test'
import { type Dialect, dialects } from '../recorded/dialects.ts'
import { type RecordedServer, startRecordedServer } from '../recorded/recordedServer.ts'
import type { Update } from '../recorded/state.ts'
import { test as base } from './sharedServers.ts'
import { signInByForm } from './signInForm.ts'

export { expect }

interface Fixtures {
  dialect: Dialect
  recorded: RecordedServer
  /** What went wrong unseen so far: in the console of the browser, and calls that no recording knows. */
  faults: string[]
}

/**
 * A browser on the built console and a server of another version. Whatever a journey is about, at its end nothing was
 * asked that the recorded server would not know, and the console of the browser was free of errors.
 */
export const test = base.extend<Fixtures>({
  dialect: ['current', { option: true }],

  recorded: async ({ dialect }, use) => {
    const recorded = await startRecordedServer(dialect)
    await use(recorded)
    await recorded.close()
  },

  baseURL: ({ recorded }, use) => use(recorded.address),

  faults: async ({ recorded }, use) => {
    const faults: string[] = []
    await use(faults)
    expect([...recorded.unknown, ...faults]).toEqual([])
  },

  context: async ({ context, faults, recorded }, use) => {
    context.on('console', (message) => {
      // A page at a deep link comes with status 404 from such a server, and the browser says so.
      const isDeepLink = message.location().url.startsWith(`${recorded.address}/dashboard`)
      if (message.type() === 'error' && !(isDeepLink && /404/.test(message.text()))) faults.push(message.text())
    })
    context.on('weberror', (error) => void faults.push(`uncaught: ${error.error().stack}`))
    await use(context)
  },
})

/** Declares a test once for every dialect. */
export function inEveryDialect(title: string, body: (fixtures: Fixtures & { page: Page }) => Promise<void>): void {
  for (const dialect of dialects) {
    test.describe(dialect, () => {
      test.use({ dialect })
      test(`${title} (${dialect})`, async ({ page, recorded, faults }) => body({ page, recorded, faults, dialect }))
    })
  }
}

/** Gives the browser a session without the sign-in form, which the other journeys fill in. */
export async function signIn(page: Page): Promise<void> {
  const reply = await page.request.post('/api/v1/login', { data: { username: 'admin', password: 'admin' } })
  expect(await reply.json()).toMatchObject({ success: true })
}

/** Signs in by the form, and waits for the page that was asked for. */
export async function enter(page: Page, path = '/dashboard'): Promise<void> {
  await page.goto(path)
  await signInByForm(page, 'admin', 'admin')
  // While the request is under way the button has another name, and a navigation would cancel it.
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** The keys that an update changed, and those that it lost, as `-key`: compared with what the server had sent. */
export function changesOf({ sent, body }: Update): string[] {
  const changed = Object.entries(sent).flatMap(([key, value]) => {
    if (!(key in body)) return [`-${key}`]
    return JSON.stringify(body[key]) === JSON.stringify(value) ? [] : [key]
  })
  return changed.sort()
}
