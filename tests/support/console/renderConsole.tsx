import { cleanup, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { FastifyInstance } from 'fastify'
import type { TranslationMessages } from 'ra-core'
import { expect, onTestFinished, vi } from 'vitest'
import { mergeTexts } from '../../../i18n/define/mergeTexts.ts'
import { type TextTree, textsIn } from '../../../i18n/define/text.ts'
import { createI18nProvider, loadTexts } from '../../../i18n/index.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { registerCrud } from '../../../server/api/crud.ts'
import type { Providers } from '../../../server/auth/oauth2/providers.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { Console } from '../../../src/app/Console.tsx'
import { ConsoleRouter } from '../../../src/app/router/ConsoleRouter.tsx'
import { createNavigation } from '../../../src/app/router/navigation.ts'
import { createAuthProvider } from '../../../src/authProvider.ts'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { clearSessionCookies } from '../../../src/session/token.ts'
import { recordTokenReceipt } from '../../../src/session/tokenAge.ts'
import { connectPage } from '../journeys/pageNetwork.ts'
import { type Extension, nothingAdded } from '../server/routes/extension.ts'
import { signedIn, type TestServer, testServer } from '../server/testServer.ts'
import { languageOf } from './texts.ts'

// The whole page in every message hides what is wrong; and machines that test are busy machines.
configure({ asyncUtilTimeout: 15_000, getElementError: (message) => new Error(message ?? 'There is no such element.') })

export interface RenderOptions {
  /** Who is signed in. Default: an admin. */
  role?: 'admin' | 'member'
  /** Where the browser stands. */
  path?: string
  /** What is in the store, by entity; the records are the signed-in person's own. */
  records?: Readonly<Record<string, readonly Record<string, unknown>[]>>
  /** Entities beyond the console's own. */
  extension?: Extension
  locale?: Locale
  /** Where people can sign in beside here. */
  providers?: Providers
  /** Meddles with the server before it answers: a hook that adds to its replies, say. */
  prepare?: (app: FastifyInstance) => void
}

/**
 * Renders the real console against the real server on an in-memory store; no endpoint is mocked. All of it is taken
 * away when the test is over. Live figures are off: jsdom has no workers.
 */
export async function renderConsole({
  role = 'admin',
  path = '/dashboard',
  records = {},
  extension = nothingAdded,
  locale = 'en-US',
  providers,
  prepare = () => {},
}: RenderOptions = {}) {
  // Bytes of the server are Node's, and it tells them from others; jsdom has put its own kind in their place.
  vi.stubGlobal('Uint8Array', Object.getPrototypeOf(Buffer))
  const server = await extendedServer(extension, providers)
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
  // biome-ignore lint/suspicious/noDocumentCookie: signing in happened beside the page
  for (const [name, value] of cookies) document.cookie = `${name}=${value}; path=/`
  recordTokenReceipt()
  const network = connectPage(server.app)
  vi.stubGlobal('fetch', network.fetch)
  // jsdom has no layout, and complains about those who scroll.
  vi.stubGlobal('scrollTo', () => {})
  window.history.replaceState(null, '', path)

  const queryClient = createQueryClient()
  const lookUp = (name: string) => extension.entities[name]
  const i18nProvider = await createI18nProvider(locale, async (code) => {
    const added = textsIn(languageOf[code], { resources: extension.texts })
    return mergeTexts((await loadTexts(code)) as TextTree, added) as TranslationMessages
  })
  render(
    <ConsoleRouter navigation={createNavigation()}>
      <Console
        resources={extension.resources}
        authProvider={createAuthProvider(queryClient, undefined, lookUp)}
        dataProvider={createDataProvider(queryClient, lookUp, Object.values(extension.entities))}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
      />
    </ConsoleRouter>,
  )
  onTestFinished(async () => {
    cleanup()
    // What is still under way has to find this network.
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
    queryClient.clear()
    clearSessionCookies()
    localStorage.clear()
    vi.unstubAllGlobals()
    await server.app.close()
  })
  return {
    server,
    network,
    user: userEvent.setup({ delay: null }),
    /** The rows of an entity in the server's store. */
    storedRows: (name: string) =>
      entityTable(server.store, extension.entities[name] as Extension['entities'][string]).all(),
  }
}

async function extendedServer({ entities, room }: Extension, providers?: Providers): Promise<TestServer> {
  const server = await testServer({ providers })
  const { app, store } = server
  const added = Object.values(entities).filter((entity) => !Object.values(nothingAdded.entities).includes(entity))
  registerCrud(app, { store, guard: app.guard, entities: added })
  if (room) await app.register(room, { store })
  return server
}
