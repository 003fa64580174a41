import type { QueryClient } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { FastifyInstance } from 'fastify'
import type { TranslationMessages } from 'ra-core'
import { expect, onTestFinished, vi } from 'vitest'
import { createI18nProvider, loadTexts } from '../../../i18n/index.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { mergeTexts, type TextTree } from '../../../i18n/mergeTexts.ts'
import { registerCrud } from '../../../server/api/crud.ts'
import type { Providers } from '../../../server/auth/providers/providers.ts'
import type { Store } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { Console } from '../../../src/app/Console.tsx'
import { ConsoleRouter, createNavigation } from '../../../src/app/router/routerProvider.tsx'
import { createAuthProvider } from '../../../src/authProvider.ts'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { screensOf } from '../../../src/engine/screens.tsx'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { entityNamed } from '../../../src/schemas/index.ts'
import { hasSessionEnded, startSession } from '../../../src/session/sessionGate.ts'
import { clearSessionCookies } from '../../../src/session/token.ts'
import { recordTokenReceipt } from '../../../src/session/tokenAge.ts'
import { connectPage } from '../journeys/pageNetwork.ts'
import { type Extension, nothingAdded } from '../server/routes/extension.ts'
import { signedIn, type TestServer, testServer } from '../server/testServer.ts'

export interface RenderOptions {
  /** Who is signed in. Default: an admin. */
  role?: 'admin' | 'member'
  /** The address of the page. */
  path?: string
  /** What is in the store, by entity; the records are the signed-in person's own. */
  records?: Readonly<Record<string, readonly Record<string, unknown>[]>>
  /** Entities beyond the console's own. */
  extension?: Extension
  locale?: Locale
  /** OAuth2 providers at which people can sign in. */
  providers?: Providers
  /** What the server has stored before it starts. */
  store?: Store
  /** Changes the server before its first request, such as by a hook that alters its replies. */
  prepare?: (app: FastifyInstance) => void
}

/**
 * Renders the real console against the real server on an in-memory store; no endpoint is mocked. All of it is removed
 * when the test is over. Live metrics are off: jsdom has no workers.
 */
export async function renderConsole({
  role = 'admin',
  path = '/dashboard',
  records = {},
  extension = nothingAdded,
  locale = 'en-US',
  providers,
  store,
  prepare = () => {},
}: RenderOptions = {}) {
  // The server needs Node's Uint8Array, which jsdom has replaced.
  vi.stubGlobal('Uint8Array', Object.getPrototypeOf(Buffer))
  const server = await extendedServer(extension, { providers, store })
  prepare(server.app)
  const stamps = {
    user_id: role === 'admin' ? 1 : 2,
    created_at: '2026-11-21T00:00:00Z',
    updated_at: '2026-11-21T00:00:00Z',
  }
  for (const [name, rows] of Object.entries(records)) {
    const entity = extension.entities[name]
    if (!entity) throw new Error(`There is no entity "${name}" to keep records of.`)
    const table = entityTable(server.store, entity)
    for (const row of rows) table.insert({ ...stamps, ...row })
  }
  const { cookies } = await signedIn(server, role)
  for (const [name, value] of cookies) {
    // Scripts cannot read it.
    if (name === 'nz-kb') continue
    // biome-ignore lint/suspicious/noDocumentCookie: the sign-in happened outside of the page
    document.cookie = `${name}=${value}; path=/`
  }
  recordTokenReceipt()
  const network = connectPage(server.app)
  vi.stubGlobal('fetch', network.fetch)
  // jsdom has no layout, and logs an error when something scrolls.
  vi.stubGlobal('scrollTo', () => {})
  window.history.replaceState(null, '', path)

  const queryClient = createQueryClient()
  const lookUp = (name: string) => extension.entities[name] ?? entityNamed(name)
  const i18nProvider = await createI18nProvider(locale, async (code) => {
    return mergeTexts((await loadTexts(code)) as TextTree, extension.textsIn(code)) as unknown as TranslationMessages
  })
  const missing = new Set<string>()
  const translate: typeof i18nProvider.translate = (key, options) => {
    const text = i18nProvider.translate(key, options)
    if (text === key && /^app\.\w/.test(key)) missing.add(key)
    return text
  }
  // A build has fetched them by the time that somebody leaves the first screen.
  await Promise.all(extension.resources.map((entry) => screensOf(entry).List.prepare()))
  render(
    <ConsoleRouter navigation={createNavigation()}>
      <Console
        resources={extension.resources}
        authProvider={createAuthProvider(queryClient, undefined, lookUp)}
        dataProvider={createDataProvider(queryClient, lookUp, Object.values(extension.entities))}
        i18nProvider={{ ...i18nProvider, translate }}
        queryClient={queryClient}
      />
    </ConsoleRouter>,
  )
  const settled = () => vi.waitFor(() => expect(fetching(queryClient)).toEqual([]))
  onTestFinished(async () => {
    cleanup()
    // After a sign-out, a request of the page that was left ends the session: calls of the next test would wait as well.
    if (hasSessionEnded()) startSession({ id: stamps.user_id, fullName: role, role: role === 'admin' ? 0 : 1 })
    // Requests under way must end before the next test has a network of its own.
    await settled()
    queryClient.clear()
    clearSessionCookies()
    localStorage.clear()
    vi.unstubAllGlobals()
    await server.app.close()
    // The compiler does not know keys that are put together.
    expect([...missing], 'keys without a text').toEqual([])
  })
  return {
    server,
    network,
    user: userEvent.setup({ delay: null }),
    /** Waits until no query is under way. */
    settled,
    /** Fetches everything on screen again, as after a minute in another tab. */
    fetchAgain: () => queryClient.invalidateQueries(),
    /** The rows of an entity in the server's store. */
    storedRows: (name: string) =>
      entityTable(server.store, extension.entities[name] as Extension['entities'][string]).all(),
  }
}

/** The keys of the queries that are under way. */
const fetching = (client: QueryClient) =>
  client
    .getQueryCache()
    .findAll({ fetchStatus: 'fetching' })
    .map(({ queryHash }) => queryHash)

async function extendedServer(
  { entities, plugin }: Extension,
  options: Pick<RenderOptions, 'providers' | 'store'>,
): Promise<TestServer> {
  const server = await testServer(options)
  const { app, store } = server
  const added = Object.values(entities).filter((entity) => !Object.values(nothingAdded.entities).includes(entity))
  registerCrud(app, { store, guard: app.guard, entities: added })
  if (plugin) await app.register(plugin, { store })
  return server
}
