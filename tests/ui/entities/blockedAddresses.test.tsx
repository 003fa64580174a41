import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { enterText } from '../../support/console/enterText.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { signedIn } from '../../support/server/testServer.ts'

const path = '/dashboard/settings/waf'

describe('Blocked addresses', () => {
  it('are found by a part of an address', async () => {
    const { user, server } = await renderConsole({ path })
    const administrator = await signedIn(server)
    await administrator.call('POST', 'online-user/batch-block', { body: ['198.51.100.7', '203.0.113.9'] })
    await user.click(await screen.findByRole('button', { name: 'Refresh' }))
    await screen.findByText('198.51.100.7')
    await enterText(user, screen.getByRole('searchbox', { name: 'Search' }), '203.0')
    await waitFor(() => expect(screen.queryByText('198.51.100.7')).toBeNull())
    expect(screen.getByText('203.0.113.9')).toBeTruthy()
  })

  it('have no search where the server does not search them', async () => {
    await renderConsole({ path, prepare: alterSetting({}, { wheelhouse: undefined }) })
    await screen.findByText('Addresses with failed sign-ins or blocks are listed here, even after a block has ended.')
    expect(screen.queryByRole('searchbox', { name: 'Search' })).toBeNull()
  })
})
