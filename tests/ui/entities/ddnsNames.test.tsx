import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const home = { name: 'Home', provider: 'webhook', max_retries: 3, domains: ['www.example.org'], enable_ipv4: true }
const records = {
  ddns: [home],
  server: [
    { name: 'web-1', uuid: 'a' },
    { name: 'web-2', uuid: 'b' },
  ],
}

const name = { profile_id: 1, server_id: 1, domain: 'www.example.org', record: 'A', address: '93.184.216.34' }
const failed = { ...name, state: 'failed', at: '2026-11-20T23:00:00Z', tries: 3, words: 'zone is locked' }
const done = { ...name, server_id: 2, state: 'done', at: '2026-11-20T22:00:00Z', tries: 1 }

const standing = (summary: object, names: readonly object[] = []) => ({
  path: '/dashboard/ddns',
  records,
  prepare: (app: Parameters<ReturnType<typeof alterReplies>>[0]) => {
    alterReplies('wheelhouse/ddns', () => [{ profile_id: 1, done: 0, failed: 0, waiting: 0, ...summary }])(app)
    alterReplies('wheelhouse/ddns/1', () => names)(app)
  },
})

describe('The list of DDNS profiles', () => {
  it.each([
    [{ names: 3, failed: 2, done: 1, at: '2026-11-20T23:00:00Z' }, '2 of 3 failed'],
    [{ names: 3, waiting: 1, failed: 1 }, 'Updating'],
    [{ names: 1 }, 'Nothing sent yet'],
    [{ names: 1, done: 1, at: new Date(Date.now() - 3 * 3_600_000 - 120_000).toISOString() }, '3 h ago'],
  ])('shows the update status of their names: %o', async (summary, words) => {
    await renderConsole(standing(summary))
    await screen.findByRole('button', { name: words })
  })

  it('marks a profile that no server uses, and says how to use it', async () => {
    const { user } = await renderConsole({ path: '/dashboard/ddns', records })
    await user.click(await screen.findByRole('button', { name: 'No server uses it' }))
    await within(await screen.findByRole('dialog')).findByText(/^No server uses this profile/)
    expect((button('Update now') as HTMLButtonElement).disabled).toBe(true)
  })

  it('opens a list of the names with server, address, time and the provider’s message', async () => {
    const { user } = await renderConsole(standing({ names: 2, failed: 1, done: 1 }, [failed, done]))
    await user.click(await screen.findByRole('button', { name: '1 of 2 failed' }))
    const dialog = await screen.findByRole('dialog', { name: 'Domains of “Home”' })
    const [one, other] = await within(dialog).findAllByRole('listitem')
    await waitFor(() => expect(one?.textContent).toContain('web-1 · 93.184.216.34'))
    expect(one?.textContent).toMatch(/Failed · .*2026.* · 3 attempts/)
    expect(one?.textContent).toContain('zone is locked')
    await waitFor(() => expect(other?.textContent).toMatch(/web-2 .*Updated · /))
    expect(other?.textContent).not.toContain('tr')
    // A click on its words must not open the profile behind it.
    await user.click(one as HTMLElement)
    expect(window.location.pathname).toBe('/dashboard/ddns')
  })

  it('says if there are too many names to show', async () => {
    const { user } = await renderConsole(standing({ names: 900, failed: 900 }, [failed]))
    await user.click(await screen.findByRole('button', { name: '900 of 900 failed' }))
    await screen.findByText('The first 1 of 900, failures first.')
  })

  it('offers a retry if the names cannot be loaded', async () => {
    let isBroken = true
    const { user } = await renderConsole({
      path: '/dashboard/ddns',
      records,
      prepare: (app) =>
        app.addHook('onRequest', async ({ url }, reply) => {
          if (isBroken && url.endsWith('/wheelhouse/ddns/1')) return reply.send({ error: 'the disk is full' })
        }),
    })
    await user.click(await screen.findByRole('button', { name: 'No server uses it' }))
    await screen.findByText('the disk is full')
    isBroken = false
    await user.click(button('Retry'))
    await screen.findByText(/^No server uses this profile/)
  })

  it('disables the update if there is nothing to send', async () => {
    const { user } = await renderConsole({ path: '/dashboard/ddns', records })
    await user.click(await screen.findByRole('button', { name: 'Actions for Home' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Update now' }))
    await waitFor(() => expect(toasts()).toEqual(['No reporting server uses this profile.']))
  })

  it('sends no DDNS requests to servers that do not announce it', async () => {
    const asked: string[] = []
    const { user } = await renderConsole({
      path: '/dashboard/ddns',
      records,
      prepare: (app) => {
        app.addHook('onRequest', async ({ url }) => void asked.push(url))
        alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined }))(app)
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Home' }))
    await screen.findByRole('menuitem', { name: 'Duplicate' })
    expect(screen.queryByRole('menuitem', { name: 'Update now' })).toBeNull()
    expect(screen.queryByText('Last update')).toBeNull()
    expect(asked.filter((url) => url.includes('wheelhouse'))).toEqual([])
  })
})
