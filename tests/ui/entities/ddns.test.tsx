import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const provider = () => screen.findByRole('combobox', { name: 'Provider' })

const webhook = {
  name: 'Home',
  provider: 'webhook',
  max_retries: 3,
  enable_ipv4: true,
  webhook_url: 'https://dns.example/hook',
  webhook_method: 2,
  webhook_request_type: 1,
  webhook_request_body: '{"ip":"#ip#"}',
  webhook_headers: '{"X-Token":"hush"}',
}

describe('The form of a DDNS profile', () => {
  it('splits pasted lines into domains, and stores international ones in Punycode', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/ddns/create' })
    await enterText(user, await field('Name'), 'Home')
    await user.click(await screen.findByRole('combobox', { name: /^Domains/ }))
    await user.paste([...Array.from({ length: 40 }, (_, at) => `d${at}.example.org`), 'bücher.example'].join('\n'))
    await user.click(button('Save'))
    await noDialog()
    const [profile] = storedRows('ddns')
    expect(profile?.domains).toHaveLength(41)
    expect(profile?.domains).toContain('xn--bcher-kva.example')
  })

  it('names an invalid domain', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/ddns/create' })
    await enterText(user, await field('Name'), 'Home')
    await user.type(await screen.findByRole('combobox', { name: /^Domains/ }), 'good.example, -bad-.example{Enter}')
    await user.click(button('Save'))
    await screen.findByText('“-bad-.example” is not a domain name')
    expect(storedRows('ddns')).toEqual([])
  })

  it('shows the webhook fields only for the webhook provider, and requires its URL', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/ddns/create' })
    await enterText(user, await field('Name'), 'Home')
    expect(screen.queryByRole('textbox', { name: /^Webhook URL/ })).toBeNull()
    await user.selectOptions(await provider(), 'webhook')
    const url = await field(/^Webhook URL/)
    await user.click(button('Save'))
    await screen.findByText('Required')
    await waitFor(() => expect(document.activeElement).toBe(url))
    await user.selectOptions(await provider(), 'dummy')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('ddns')).toMatchObject([{ provider: 'dummy', max_retries: 3 }])
  })

  it('offers the providers of the server, and keeps an unknown one', async () => {
    await renderConsole({
      path: '/dashboard/ddns/1',
      records: { ddns: [{ name: 'Home', provider: 'retired', max_retries: 3 }] },
      prepare: alterReplies('ddns/providers', () => ['dummy', 'brandnew']),
    })
    const select = (await provider()) as HTMLSelectElement
    await waitFor(() => expect([...select.options].map(({ value }) => value)).toEqual(['dummy', 'brandnew', 'retired']))
    expect(select.value).toBe('retired')
  })

  it('offers the default providers if the server lists none', async () => {
    await renderConsole({
      path: '/dashboard/ddns/create',
      prepare: (app) =>
        app.addHook('onRequest', async ({ url }, reply) => {
          if (url.endsWith('/ddns/providers')) return reply.code(404).send({ error: '404 Not Found' })
        }),
    })
    const select = (await provider()) as HTMLSelectElement
    expect([...select.options].map(({ value }) => value)).toEqual([
      'dummy',
      'webhook',
      'cloudflare',
      'tencentcloud',
      'he',
    ])
  })

  it('keeps a concealed secret', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/ddns/1',
      records: { ddns: [{ name: 'Home', provider: 'he', max_retries: 3, access_secret: 'hush' }] },
    })
    await screen.findByText(/^Leave empty to keep the stored value/)
    await user.type(await field('Name'), ' 2')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('ddns')).toMatchObject([{ name: 'Home 2', access_secret: 'hush' }])
  })

  it('clears the webhook of a profile that changes its provider, and says that its secrets are not kept', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/ddns/1', records: { ddns: [webhook] } })
    await field(/^Webhook URL/)
    await user.selectOptions(await provider(), 'dummy')
    await screen.findByText(/^Cleared when you save.*: Webhook URL, /)
    await screen.findByText(/^Not used with .* is not kept for another receiver: Webhook headers$/)
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('ddns')).toMatchObject([
      { provider: 'dummy', webhook_url: '', webhook_request_body: '', webhook_headers: '' },
    ])
  })

  it('asks for the secrets of a webhook again when its address leads elsewhere', async () => {
    const { user } = await renderConsole({ path: '/dashboard/ddns/1', records: { ddns: [webhook] } })
    const url = await field(/^Webhook URL/)
    await user.clear(url)
    await enterText(user, url, 'https://DNS.example:443/other')
    expect(screen.queryByText(/What is stored stays with its receiver/)).toBeNull()
    await user.clear(url)
    await enterText(user, url, 'https://other.example/hook')
    await waitFor(() => expect(screen.getAllByText(/What is stored stays with its receiver/)).toHaveLength(2))
    await enterText(user, await screen.findByLabelText(/^Webhook headers/), 'x')
    await waitFor(() => expect(screen.getAllByText(/What is stored stays with its receiver/)).toHaveLength(1))
  })

  it('sends nothing of a webhook that was entered and then hidden', async () => {
    const { user, network } = await renderConsole({ path: '/dashboard/ddns/create' })
    await enterText(user, await field('Name'), 'Home')
    await user.selectOptions(await provider(), 'webhook')
    await enterText(user, await field(/^Webhook URL/), 'no address at all')
    await user.selectOptions(await provider(), 'dummy')
    await screen.findByText('IPv4 and IPv6 are both off: no DNS record is ever updated.')
    await user.click(await screen.findByRole('switch', { name: /IPv6/ }))
    expect(screen.queryByText(/both off/)).toBeNull()
    await user.click(button('Save'))
    await noDialog()
    const body = network.sent.find(({ method }) => method === 'POST')?.body as Record<string, unknown>
    expect(body.webhook_url || '').toBe('')
  })
})
