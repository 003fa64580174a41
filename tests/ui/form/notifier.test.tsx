import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

const stored = {
  name: 'Chat',
  url: 'https://chat.example.org/hook/SECRET',
  request_method: 2,
  request_type: 1,
  request_header: '{"X-Token":"SECRET"}',
  request_body: '{"text":"#NEZHA#"}',
  verify_tls: true,
}
const concealed = { url: stored.url, request_header: stored.request_header, request_body: stored.request_body }

type Console = Awaited<ReturnType<typeof renderConsole>>
const lastWrite = ({ network }: Console) => network.sent.filter(({ method }) => method !== 'GET').at(-1)

describe('A notifier whose address the server hides', () => {
  it('is edited twice without entering it again, and loses nothing', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
    })
    for (const name of ['Chat 2', 'Chat 3']) {
      const box = await field('Name')
      await screen.findByText('Stored. Leave empty to keep it.')
      // Which inputs have a stored value is known once the record is there.
      await waitFor(() => expect(screen.getAllByText(/^Leave empty to keep the stored value/)).toHaveLength(2))
      await user.clear(box)
      await enterText(user, box, name)
      await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
      await user.click(button('Save'))
      await noDialog()
      expect(storedRows('notification')).toMatchObject([{ ...concealed, name }])
      if (name === 'Chat 2') await user.click(await screen.findByRole('link', { name }))
    }
  })

  it('gets another one when somebody types it', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
    })
    await enterText(user, await field(/^URL/), 'https://chat.example.org/hook/OTHER')
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('notification')).toMatchObject([{ ...concealed, url: 'https://chat.example.org/hook/OTHER' }])
  })

  it('says that headers and body stay with the old receiver when somebody types another', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
    })
    await enterText(user, await field(/^URL/), 'https://other.example.org/')
    await waitFor(() => expect(screen.getAllByText(/^What is stored stays with its receiver/)).toHaveLength(2))
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('notification')).toMatchObject([
      { url: 'https://other.example.org/', request_header: '', request_body: '' },
    ])
  })

  it('asks for all that is hidden again when TLS is no longer verified', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
    })
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(await screen.findByRole('switch', { name: /^Verify TLS/ }))
    await waitFor(() => expect(screen.getAllByText(/^What is stored stays with its receiver/)).toHaveLength(3))
    await user.click(button('Save'))
    await screen.findByText(/^url: what is stored was given for another receiver/)
    await enterText(user, await field(/^URL/), stored.url)
    await user.click(button('Save'))
    await noDialog()
    const cleared = { request_header: '', request_body: '' }
    expect(storedRows('notification')).toMatchObject([{ url: stored.url, verify_tls: false, ...cleared }])
  })

  it('loses a header or body that somebody removes, and no other', async () => {
    const { user, storedRows, network } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
    })
    const remove = (what: string) => screen.findByRole('checkbox', { name: `Remove what is stored of it: ${what}` })
    await user.click(await remove('Request header'))
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('notification')).toMatchObject([{ ...concealed, request_header: '' }])
    // It is asked for anew, each time.
    await user.click(await screen.findByRole('link', { name: 'Chat' }))
    expect(await remove('Request header')).toHaveProperty('checked', false)
    const body = await field(/^Request body/)
    await enterText(user, body, 'x')
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: /^Remove .* Request body/ })).toBeNull())
    expect(network.sent.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })

  it('keeps all of it on a server that cannot remove it', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
      prepare: alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined })),
    })
    await waitFor(() => expect(screen.getAllByText(/^Leave empty .* but not cleared\./)).toHaveLength(2))
    expect(screen.queryByRole('checkbox', { name: /^Remove what is stored/ })).toBeNull()
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await enterText(user, await field('Name'), ' 2')
    await user.click(button('Save'))
    await noDialog()
    expect(JSON.stringify(network.sent.at(-1))).not.toContain('clear_secrets')
    expect(JSON.stringify(network.sent)).toContain('PATCH')
  })

  it('is found by its name, and not by what is hidden', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification',
      records: { notification: [stored], 'notification-group': [{ name: 'On call', notifications: [1] }] },
      // As an older server, which hides nothing.
      prepare: alterReplies('notification', (rows) => (rows as object[]).map((row) => ({ ...row, ...concealed }))),
    })
    await screen.findByRole('link', { name: 'Chat' })
    await screen.findByText('On call')
    const search = screen.getByRole('searchbox')
    await user.type(search, 'SECRET')
    await screen.findByText('No results')
    await user.clear(search)
    await user.type(search, 'on call')
    await screen.findByRole('link', { name: 'Chat' })
  })
})

describe('A body that the method hides', () => {
  it('stays stored where the server hides it, and the form says so', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
    })
    await user.type(await field(/^Request body/), 'x')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Request method' }), 'GET')
    await screen.findByText('Not used with your choices. What is stored of it stays stored: Request body')
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('notification')).toMatchObject([{ ...concealed, request_method: 1 }])
  })

  it('stays stored where the server shows it too, because it may hold a secret', async () => {
    const console = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [stored] },
      prepare: alterReplies('notification', (rows) => (rows as object[]).map((row) => ({ ...row, ...concealed }))),
    })
    const { user } = console
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Request method' }), 'GET')
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    expect(lastWrite(console)?.body).toMatchObject({ ...concealed, request_method: 1 })
  })

  it('is as it was entered after going back to the method that sends it', async () => {
    const { user } = await renderConsole({ path: '/dashboard/notification/create' })
    const method = () => screen.findByRole('combobox', { name: 'Request method' })
    await user.selectOptions(await method(), 'POST')
    await enterText(user, await field(/^Request body/), 'hello')
    await user.selectOptions(await method(), 'GET')
    expect(screen.queryByRole('textbox', { name: /^Request body/ })).toBeNull()
    await user.selectOptions(await method(), 'POST')
    expect(await field(/^Request body/)).toHaveProperty('value', 'hello')
  })
})

describe('A notifier on an older server', () => {
  const older = alterReplies('notification', (rows) =>
    (rows as Record<string, unknown>[]).map(({ format_metric_units: _, ...row }) => ({ ...row, ...concealed })),
  )

  it('shows its address with a copy button, and is sent back complete', async () => {
    const console = await renderConsole({
      path: '/dashboard/notification',
      records: { notification: [stored] },
      prepare: older,
    })
    const { user } = console
    await screen.findByRole('button', { name: 'Copy URL' })
    await user.click(await screen.findByRole('link', { name: 'Chat' }))
    expect(((await field('URL')) as HTMLInputElement).value).toBe(stored.url)
    expect(screen.queryByText(/Stored\. Leave empty/)).toBeNull()
    await user.type(await field('Name'), ' 2')
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    expect(lastWrite(console)?.body).toMatchObject({ ...concealed, name: 'Chat 2' })
  })

  it('is not asked about units, which that server does not know', async () => {
    const console = await renderConsole({
      path: '/dashboard/notification/create',
      records: { notification: [stored] },
      prepare: older,
    })
    const { user } = console
    await enterText(user, await field('Name'), 'New')
    await enterText(user, await field('URL'), 'https://x.example.org/')
    expect(screen.queryByRole('switch', { name: 'Metrics with units' })).toBeNull()
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    expect(lastWrite(console)?.body).not.toHaveProperty('format_metric_units')
  })
})

describe('The form of a notifier', () => {
  it('shows the server’s words when the test message fails, and nothing is saved', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/notification/create' })
    await enterText(user, await field('Name'), 'New')
    await enterText(user, await field('URL'), 'http://127.0.0.1:1/')
    await user.click(button('Save'))
    await screen.findByText('Get "http://127.0.0.1:1": dial tcp 127.0.0.1:1: connect: connection refused')
    expect(storedRows('notification')).toEqual([])
    expect(((await field('Name')) as HTMLInputElement).value).toBe('New')
  })

  it('writes headers as pairs or as JSON, two views of one text', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/notification/create' })
    await enterText(user, await field('Name'), 'New')
    await enterText(user, await field('URL'), 'https://x.example.org/')
    await user.click(await screen.findByRole('button', { name: 'Add pair' }))
    await enterText(user, await field('Request header, 1: Name'), 'X-Token')
    await user.type(await field('Request header, 1: Value'), 'a"b')
    await user.click(button('JSON'))
    const text = (await field(/^Request header/)) as HTMLTextAreaElement
    expect(text.value).toBe('{"X-Token":"a\\"b"}')
    await user.clear(text)
    await user.type(text, '[[1]')
    expect(screen.getByRole('button', { name: 'Pairs' }).hasAttribute('disabled')).toBe(true)
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await screen.findByText('Must be a JSON object with text values, such as {"X-Token": "abc"}')
    await user.clear(text)
    await enterText(user, text, '{"X-Other":"c"}')
    await user.click(button('Pairs'))
    expect(((await field('Request header, 1: Name')) as HTMLInputElement).value).toBe('X-Other')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('notification')).toMatchObject([{ request_header: '{"X-Other":"c"}' }])
  })

  it('puts a placeholder where the cursor is', async () => {
    const { user } = await renderConsole({ path: '/dashboard/notification/create' })
    const url = (await field('URL')) as HTMLInputElement
    await enterText(user, url, 'https://x.example.org/?m=&end=1')
    url.setSelectionRange(25, 25)
    await user.click(button('Insert placeholder into: URL'))
    await user.click(await screen.findByRole('menuitem', { name: '#NEZHA#' }))
    expect(url.value).toBe('https://x.example.org/?m=#NEZHA#&end=1')
  })

  it('refuses a body that is not a form, also when only the type was changed', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification/1',
      records: { notification: [{ ...stored, request_body: 'plain text' }] },
      prepare: alterReplies('notification', (rows) =>
        (rows as object[]).map((row) => ({ ...row, ...concealed, request_body: 'plain text' })),
      ),
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Request type' }), 'Form')
    await user.click(button('Save'))
    await screen.findByText('Must be a JSON object with text values, such as {"X-Token": "abc"}')
  })
})
