import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { writeSite } from '../../../server/site/site.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { type RenderOptions, renderConsole } from '../../support/console/renderConsole.tsx'
import { receiver } from '../../support/fakes/receiver.ts'
import { password } from '../../support/server/testServer.ts'

const notifier = (url: string) => ({ name: 'Chat', url, request_method: 1, request_type: 1, verify_tls: true })

async function choose(name: string, options: RenderOptions) {
  const page = await renderConsole({ path: '/dashboard/notification', ...options })
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Chat' }))
  await page.user.click(await screen.findByRole('menuitem', { name }))
  return page
}

describe('The deletion of a notifier', () => {
  const askToDelete = async (options: RenderOptions) => {
    vi.stubGlobal('indexedDB', {})
    await choose('Delete', options)
    return screen.findByRole('alertdialog', { name: 'Delete “Chat”?' })
  }

  it('names the secrets that are set, and those alone', async () => {
    const question = await askToDelete({ records: { notification: [notifier('https://chat.example.org/hook')] } })
    await within(question).findByText('Lost for good, because they are secret: URL')
  })

  it('names all that may be set on a server that does not say it', async () => {
    const prepare = alterSetting({}, { wheelhouse: undefined })
    const question = await askToDelete({
      records: { notification: [notifier('https://chat.example.org/hook')] },
      prepare,
    })
    await within(question).findByText(/^Lost for good where they are set, because they are secret: URL, /)
  })
})

describe('A stored notifier', () => {
  it('sends a test message, shows the reply, and sends again', async () => {
    const { origin, deliveries } = await receiver((reply) => reply.writeHead(200).end('{"ok":true}'))
    const { user } = await choose('Send test', { records: { notification: [notifier(`${origin}/?m=#NEZHA#`)] } })
    const dialog = await screen.findByRole('dialog', { name: 'Test of “Chat”' })
    await within(dialog).findByText(/^The receiver has accepted the test message/)
    await within(dialog).findByText('200 {"ok":true}')
    await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(deliveries.map(({ url }) => url)).toEqual(Array(2).fill('/?m=a+test+message')))
  })

  it('shows why a test message was refused, without the secret in the address', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(401).end('bad token SECRET123'))
    await choose('Send test', { records: { notification: [notifier(`${origin}/?token=SECRET123`)] } })
    await screen.findByText('The test message was not accepted.')
    await screen.findByText('401 bad token …')
  })

  it('of a member is tested with the rights of that member, also by an administrator', async () => {
    const { origin, deliveries } = await receiver()
    await choose('Send test', { records: { notification: [{ ...notifier(origin), user_id: 2 }] } })
    await screen.findByText(/^HTTP URL target is not allowed/)
    expect(deliveries).toEqual([])
  })

  it('is saved as it is on a server that has no call for a test', async () => {
    const stored = notifier('https://chat.example.org/hook')
    const { network } = await choose('Send test', {
      records: { notification: [stored] },
      prepare: (app) => {
        alterSetting({}, { wheelhouse: undefined })(app)
        app.addHook('preHandler', async ({ method, url }, reply) => {
          if (method === 'PATCH' && url.startsWith('/api/v1/notification/')) return reply.send({ success: true })
        })
      },
    })
    await screen.findByText(/^The receiver has accepted the test message/)
    const sent = network.sent.filter(({ method }) => method !== 'GET')
    expect(sent).toMatchObject([
      { method: 'PATCH', path: 'notification/1', body: { name: 'Chat', url: '', skip_check: false } },
    ])
  })
})

describe('The address of a notifier', () => {
  const url = 'https://chat.example.org/hook/SECRET?x=1'

  it('is shown to its owner, and the audit log says so', async () => {
    const { user, network } = await choose('Show URL', { role: 'member', records: { notification: [notifier(url)] } })
    const dialog = await screen.findByRole('dialog', { name: 'URL of “Chat”' })
    await within(dialog).findByText(url)
    await user.click(within(dialog).getByRole('button', { name: 'Copy URL' }))
    expect(await navigator.clipboard.readText()).toBe(url)
    expect(network.sent.at(-1)).toMatchObject({ method: 'POST', path: 'wheelhouse/notification/1/reveal' })
  })

  it('is not shown to others, not even administrators', async () => {
    await choose('Show URL', { records: { notification: [{ ...notifier(url), user_id: 2 }] } })
    await screen.findByText(/only the owner of a notifier may see its address/)
    expect(screen.queryByText(url)).toBeNull()
  })

  it('is shown after the person has proved who they are, where the site asks for it', async () => {
    const console = await renderConsole({ path: '/dashboard/notification', records: { notification: [notifier(url)] } })
    const { user, server } = console
    writeSite(server.store, { reauthentication_everybody: true })
    server.clock.now += 16 * 60_000
    await user.click(await screen.findByRole('button', { name: 'Actions for Chat' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Show URL' }))
    const question = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
    expect(screen.queryByText(url)).toBeNull()
    await user.type(await within(question).findByLabelText(/Password/), `${password}{Enter}`)
    await screen.findByText(url)
  })

  it('has no menu entry on servers that do not send it', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification',
      records: { notification: [notifier(url)] },
      prepare: alterSetting({}, { wheelhouse: undefined }),
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Chat' }))
    await screen.findByRole('menuitem', { name: 'Send test' })
    expect(screen.queryByRole('menuitem', { name: 'Show URL' })).toBeNull()
  })
})

describe('The form of a notifier that sends mail', () => {
  it('asks for nothing that only requests have, and for a sender and recipients', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/notification/create' })
    await enterText(user, await screen.findByRole('textbox', { name: 'Name' }), 'Mail')
    await enterText(user, await screen.findByRole('textbox', { name: 'URL' }), 'smtps://ops:pw@mail.example.org/')
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Request method' })).toBeNull())
    expect(screen.queryByText('This server does not send mail')).toBeNull()
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await screen.findByText(/^Needs a sender and up to 20 recipients/)
    await enterText(user, await screen.findByRole('textbox', { name: 'URL' }), '?from=a@example.org&to=b@example.org')
    await user.click(button('Save'))
    await waitFor(() =>
      expect(storedRows('notification')).toMatchObject([
        { url: 'smtps://ops:pw@mail.example.org/?from=a@example.org&to=b@example.org', request_method: 1 },
      ]),
    )
  })

  it('warns on a server that sends no mail', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification/create',
      prepare: alterSetting({}, { wheelhouse: undefined }),
    })
    await enterText(user, await screen.findByRole('textbox', { name: 'URL' }), 'smtp://a@example.org')
    await screen.findByText(/^This server does not send mail/)
  })
})
