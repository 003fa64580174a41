import { render } from '@testing-library/react'
import { type PropsWithChildren, Suspense, useState } from 'react'
import { CoreAdminContext, type I18nProvider, TestMemoryRouter, useGetIdentity, useLocale } from 'react-admin'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { namedPages, preparePage } from '../../../src/app/pages.tsx'
import { preferenceStore } from '../../../src/app/preferenceStore.ts'
import { createAuthProvider } from '../../../src/authProvider.ts'
import { ConsoleTheme } from '../../../src/components/theme/ConsoleTheme.tsx'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { resources } from '../../../src/resources/index.ts'
import { calls, fakeServer } from '../../support/fakes/fakeServer.ts'

function Greeting() {
  const { identity, isPending } = useGetIdentity()
  return (
    <p>
      {useLocale()} {isPending ? 'nobody yet' : identity?.fullName}
    </p>
  )
}

function Providers({ children }: PropsWithChildren) {
  const [queryClient] = useState(createQueryClient)
  const translator = { translate: (key: string) => key, changeLocale: async () => {}, getLocale: () => 'de-DE' }
  return (
    <TestMemoryRouter>
      <CoreAdminContext
        authProvider={createAuthProvider(queryClient, { id: 1, fullName: 'ann', role: 0 })}
        i18nProvider={translator satisfies I18nProvider}
        queryClient={queryClient}
        store={preferenceStore('de-DE')}
      >
        <ConsoleTheme>{children}</ConsoleTheme>
      </CoreAdminContext>
    </TestMemoryRouter>
  )
}

it('the first drawing has the language and who is signed in, and asks nobody', () => {
  const requests = fakeServer({})
  // Without a browser nothing is drawn a second time.
  const html = renderToString(
    <Providers>
      <Greeting />
    </Providers>,
  )
  expect(html.replaceAll(/<!--.*?-->/g, '')).toBe('<p>de-DE ann</p>')
  expect(calls(requests)).toEqual([])
})

// In a process of its own: in another one a test before it may have fetched the page.
it.each(namedPages)('a page opened at $path is in the first drawing', async ({ path, element }) => {
  fakeServer({})
  const drawn = () =>
    render(<Suspense fallback="its code is not there">{element}</Suspense>, { wrapper: Providers }).container
      .textContent
  expect(drawn()).toBe('its code is not there')
  // However long a busy machine takes.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await preparePage(`/dashboard/${path}/`, resources)
  vi.useRealTimers()
  expect(drawn()).not.toBe('its code is not there')
})
