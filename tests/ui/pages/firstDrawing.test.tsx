import { CoreAdminContext, type I18nProvider, TestMemoryRouter, useGetIdentity, useLocale } from 'react-admin'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { preferenceStore } from '../../../src/app/preferenceStore.ts'
import { createAuthProvider } from '../../../src/authProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { calls, fakeServer } from '../../support/fakes/fakeServer.ts'

function Greeting() {
  const { identity, isPending } = useGetIdentity()
  return (
    <p>
      {useLocale()} {isPending ? 'nobody yet' : identity?.fullName}
    </p>
  )
}

it('the first drawing has the language and who is signed in, and asks nobody', () => {
  const heard = fakeServer({})
  const queryClient = createQueryClient()
  const translator = { translate: (key: string) => key, changeLocale: async () => {}, getLocale: () => 'de-DE' }
  // Without a browser nothing is drawn a second time.
  const html = renderToString(
    <TestMemoryRouter>
      <CoreAdminContext
        authProvider={createAuthProvider(queryClient, { id: 1, fullName: 'ann', role: 0 })}
        i18nProvider={translator satisfies I18nProvider}
        queryClient={queryClient}
        store={preferenceStore('de-DE')}
      >
        <Greeting />
      </CoreAdminContext>
    </TestMemoryRouter>,
  )
  expect(html.replaceAll(/<!--.*?-->/g, '')).toBe('<p>de-DE ann</p>')
  expect(calls(heard)).toEqual([])
})
