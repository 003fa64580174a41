import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const choice = (name: string) => screen.findByRole('combobox', { name })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

const site = { name: 'Site', type: 1, target: 'https://example.com', duration: 60, skip_servers: { 1: true, 2: false } }

type Console = Awaited<ReturnType<typeof renderConsole>>
const lastWrite = ({ network }: Console) => network.sent.filter(({ method }) => method !== 'GET').at(-1)

describe('The list of services', () => {
  it('shows the last 30 days as bars, with their share of good checks and the latency beside', async () => {
    const quiet = Array.from({ length: 28 }, () => 0)
    const summary = {
      service_name: 'Site',
      current_up: 1,
      current_down: 0,
      total_up: 199,
      total_down: 1,
      delay: [...quiet, 12.3, 12.3],
      up: [...quiet, 99, 100],
      down: [...quiet, 1, 0],
    }
    await renderConsole({
      path: '/dashboard/service',
      records: { server: [{ name: 'web-1' }], service: [site] },
      prepare: alterReplies('service', (data) => (Array.isArray(data) ? data : { services: { 1: summary } })),
    })
    const bars = await screen.findByRole('img', { name: 'Availability, last 30 days: 99.5% up' })
    const barsOf = (state: string) => bars.querySelector(`path.${state}`)?.getAttribute('d')?.match(/M/g)?.length ?? 0
    expect(['none', 'good', 'mixed', 'bad'].map(barsOf)).toEqual([30, 1, 1, 0])
    screen.getByText('99.5% · 12.3 ms')
    screen.getByText('Up')
  })
})

describe('The form of a service', () => {
  it('describes the target for each type, and rejects other targets', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/service/create' })
    await enterText(user, await field('Name'), 'Database')
    await screen.findByText('A web address, such as https://example.com/health')
    await user.selectOptions(await choice('Type'), 'TCPing')
    await screen.findByText('A host and a port, such as example.com:22')
    await enterText(user, await field('Target'), 'db.example.com')
    await user.click(button('Save'))
    await screen.findByText('Must be a host and a port, such as example.com:443')
    await enterText(user, await field('Target'), ':5432')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('service')).toMatchObject([
      { name: 'Database', type: 3, target: 'db.example.com:5432', duration: 30 },
    ])
  })

  it('takes latencies in whole milliseconds, and leaves a stored one alone that is not', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'web-1' }], service: [{ ...site, min_latency: 0.5 }] },
    })
    const most = await field(/^Max latency/)
    await user.clear(most)
    await user.type(most, '12.5')
    await user.click(button('Save'))
    await screen.findByText('Must be a whole number')
    await user.clear(most)
    await user.type(most, '12')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('service')).toMatchObject([{ min_latency: 0.5, max_latency: 12 }])
  })

  it('rejects a type that does not match the unchanged target', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'web-1' }], service: [site] },
    })
    await user.selectOptions(await choice('Type'), 'ICMP ping')
    await user.click(button('Save'))
    await screen.findByText('Must be a host name or an IP address, without a port')
    expect(storedRows('service')).toMatchObject([{ type: 1 }])
  })

  it('keeps a short interval set by another client, and rejects one that is typed', async () => {
    const console = await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'web-1' }], service: [{ ...site, duration: 5 }] },
    })
    const { user } = console
    const interval = await field(/Interval/)
    await user.clear(interval)
    await user.type(interval, '6')
    await user.click(button('Save'))
    await screen.findByText('Must be at least 30')
    await user.clear(interval)
    await user.type(interval, '5')
    await user.type(await field('Name'), ' 2')
    await user.click(button('Save'))
    await noDialog()
    expect(lastWrite(console)).toMatchObject({
      body: { name: 'Site 2', duration: 5, skip_servers: { 1: true, 2: false } },
    })
  })

  it('sends the visibility for guests under both field names', async () => {
    const console = await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'web-1' }], service: [site] },
    })
    await console.user.click(await screen.findByRole('switch', { name: 'Hide for guest' }))
    await console.user.click(button('Save'))
    await noDialog()
    expect(lastWrite(console)).toMatchObject({ body: { hide_for_guest: true, enable_show_in_service: false } })
  })
})
