import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { CoreAdminContext, type I18nProvider, TestMemoryRouter } from 'react-admin'
import { createI18nProvider } from '../../../i18n/index.ts'
import { MenuContext, SettingsContext } from '../../../src/app/layout/header/Navigation.tsx'
import { Layout } from '../../../src/app/layout/Layout.tsx'
import { createAuthProvider } from '../../../src/authProvider.ts'
import { ConsoleTheme } from '../../../src/components/theme/ConsoleTheme.tsx'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { IdentityProvider } from '../../../src/engine/parts/identity.tsx'
import { menuOf } from '../../../src/engine/routes.tsx'
import { resources } from '../../../src/resources/index.ts'
import { password, testServer } from '../server/testServer.ts'
import { servePage } from './pageServer.ts'

interface LayoutFixture {
  as?: 'admin' | 'member'
  path?: string
  siteName?: string
  /** The language of the site. */
  language?: string
  children?: ReactNode
  i18nProvider?: I18nProvider
}

/** The frame around a screen, for somebody who signed in at an embedded server. */
export async function showLayout({
  as = 'admin',
  path = '/dashboard',
  siteName = '',
  language = '',
  children,
  i18nProvider,
}: LayoutFixture = {}) {
  servePage(await testServer({ site: { site_name: siteName, language } }))
  await fetch('/api/v1/login', { method: 'POST', body: JSON.stringify({ username: as, password }) })
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <ConsoleTheme>
      <TestMemoryRouter initialEntries={[path]}>
        <CoreAdminContext
          basename="/dashboard"
          authProvider={createAuthProvider(queryClient)}
          dataProvider={createDataProvider(queryClient)}
          i18nProvider={i18nProvider ?? (await createI18nProvider('en-US'))}
          queryClient={queryClient}
        >
          <IdentityProvider>
            <MenuContext value={menuOf(resources, '/dashboard')}>
              <SettingsContext value={resources.filter(({ path: own }) => own.startsWith('settings/'))}>
                <Layout>{children ?? <h1>Screen</h1>}</Layout>
              </SettingsContext>
            </MenuContext>
          </IdentityProvider>
        </CoreAdminContext>
      </TestMemoryRouter>
    </ConsoleTheme>,
  )
  await screen.findByText(`Hi, ${as}`)
  return userEvent.setup()
}
