import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const rule = (number: number) => screen.findByRole('region', { name: `Rule ${number}` })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

const servers = [{ name: 'web-1' }, { name: 'web-3' }]
const cpu = { type: 'cpu', max: 95, duration: 10, cover: 0, ignore: { 2: true, 9: false }, mood: { later: [1, null] } }
const alert = { name: 'High load', enable: true, rules: [cpu] }

describe('The builder of alert rules', () => {
  it('creates an enabled alert, and says what it does', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/alert-rule/create' })
    await enterText(user, await field('Name'), 'Silence')
    await user.click(await screen.findByRole('button', { name: 'Add rule' }))
    await screen.findByText('CPU use stays above 90% for about 30 s, on all servers')
    await screen.findByText('10 samples, about 30 s')
    await user.selectOptions(within(await rule(1)).getByRole('combobox', { name: 'Metric' }), 'Server is offline')
    await screen.findByText('No report for about 30 s, on all servers')
    await screen.findByText('No notifier group is selected: nobody is notified.')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('alert-rule')).toMatchObject([
      { name: 'Silence', enable: true, rules: [{ type: 'offline', duration: 10, cover: 0 }] },
    ])
  })

  it('keeps a coverage that it does not know, and shows its number', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [{ ...alert, rules: [{ ...cpu, cover: 2 }] }] },
    })
    const coverage = within(await rule(1)).getByRole('combobox', { name: 'Coverage' }) as HTMLSelectElement
    expect(coverage.selectedOptions[0]?.textContent).toBe('unknown (2)')
    await screen.findByText('CPU use stays above 95% for about 30 s, on servers of an unknown coverage (2)')
    await user.type(await field('Name'), '!')
    await user.click(button('Save'))
    await waitFor(() => expect(network.sent.at(-1)?.body).toMatchObject({ name: 'High load!', rules: [{ cover: 2 }] }))
  })

  it('takes any coverage from 0 on in JSON', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [alert] },
    })
    await user.click(await screen.findByRole('button', { name: 'JSON' }))
    const text = await field('JSON')
    for (const [cover, isSaved] of [
      [-1, false],
      [3, true],
    ] as const) {
      await user.clear(text)
      await user.click(text)
      await user.paste(JSON.stringify([{ ...cpu, cover }]))
      await user.click(button('Save'))
      if (!isSaved) await screen.findByText(/^Rule 1: .*cover/)
    }
    await waitFor(() => expect(network.sent.at(-1)?.body).toMatchObject({ rules: [{ cover: 3 }] }))
    // Newer servers, this one too, refuse it in their words.
    await screen.findByText('permission denied')
  })

  it('names the servers that a rule leaves out', async () => {
    await renderConsole({ path: '/dashboard/alert-rule/1', records: { server: servers, 'alert-rule': [alert] } })
    await screen.findByText('CPU use stays above 95% for about 30 s, on all servers except web-3')
  })

  it('and the JSON text are two views of one value: what either does not know is preserved', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [alert] },
    })
    const max = within(await rule(1)).getByRole('textbox', { name: 'Maximum' })
    await user.clear(max)
    await user.type(max, '97.05')
    await user.click(button('JSON'))
    const text = (await field('JSON')) as HTMLTextAreaElement
    expect(JSON.parse(text.value)).toEqual([{ ...cpu, max: 97.05 }])
    await user.clear(text)
    await user.click(text)
    await user.paste(JSON.stringify([{ ...cpu, max: 98, tag: 'from JSON' }]))
    await user.click(button('Builder'))
    expect(within(await rule(1)).getByRole('textbox', { name: 'Maximum' })).toHaveProperty('value', '98')
    const samples = within(await rule(1)).getByRole('textbox', { name: 'Samples' })
    await user.clear(samples)
    await user.type(samples, '20')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('alert-rule')).toMatchObject([{ rules: [{ ...cpu, max: 98, duration: 20, tag: 'from JSON' }] }])
  })

  it('keeps text that is not a list of rules until it is corrected, and does not save it', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { 'alert-rule': [alert] },
    })
    await rule(1)
    await user.click(button('JSON'))
    const text = (await field('JSON')) as HTMLTextAreaElement
    await user.clear(text)
    await user.click(text)
    await user.paste('[{"type": "cpu",')
    await user.click(button('Builder'))
    await screen.findByText(/The JSON text is not a list of rules/)
    await user.click(button('JSON'))
    expect(await field('JSON')).toHaveProperty('value', '[{"type": "cpu",')
    await user.click(button('Save'))
    await screen.findByText('Invalid JSON string')
    expect(storedRows('alert-rule')).toMatchObject([{ rules: [cpu] }])
  })

  it('asks when a value has recovered, and refuses what no value can reach', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { 'alert-rule': [{ ...alert, rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }] }] },
    })
    const bound = await within(await rule(1)).findByRole('textbox', { name: 'Recovery maximum' })
    expect(within(await rule(1)).queryByRole('textbox', { name: 'Recovery minimum' })).toBeNull()
    await user.type(bound, '95')
    await user.click(button('Save'))
    await screen.findByText('Rule 1: “recovery_max” must not be beyond “max”')
    await user.clear(bound)
    await user.type(bound, '80')
    await user.type(within(await rule(1)).getByRole('textbox', { name: 'Recovery time' }), '180')
    await screen.findByText('CPU use stays above 90% for about 30 s, on all servers. Recovers at 80% or less for 3 min')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('alert-rule')).toMatchObject([{ rules: [{ recovery_max: 80, recovery_duration: 180 }] }])
  })

  it('does not ask for it in front of other servers, and keeps what is there', async () => {
    const rules = [{ ...cpu, recovery_max: 80 }]
    const { user, network } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [{ ...alert, rules }] },
      prepare: alterSetting({}, { wheelhouse: undefined }),
    })
    await rule(1)
    expect(screen.queryByRole('textbox', { name: /^Recovery/ })).toBeNull()
    await user.type(await field('Name'), '!')
    await user.click(button('Save'))
    await waitFor(() => expect(network.sent.at(-1)?.body).toMatchObject({ name: 'High load!', rules }))
  })

  it('offers what servers are asked for, without bounds where it is so or not, and says that it cannot be tested', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [alert] },
    })
    const metric = within(await rule(1)).getByRole('combobox', { name: 'Metric' })
    await user.selectOptions(metric, 'Unit failed')
    await screen.findByText('Unit failed for about 30 s, on all servers except web-3')
    await screen.findByText(/^Servers are asked as often as the settings say/)
    await screen.findByText(/^What servers are asked for is not kept/)
    expect(screen.queryByRole('textbox', { name: 'Maximum' })).toBeNull()
    await user.selectOptions(metric, 'Free space on the fullest disk')
    await enterText(user, await field('Minimum'), '10')
    await screen.findByText(
      'Free space on the fullest disk stays below 10% for about 30 s, on all servers except web-3',
    )
    await user.click(button('Save'))
    await noDialog()
    const { max: _, ...kept } = cpu
    expect(storedRows('alert-rule')).toMatchObject([{ rules: [{ ...kept, type: 'disk_free_min', min: 10 }] }])
  })

  it('says in front of other servers that they know no such rule, and keeps it', async () => {
    const rules = [{ type: 'unit_failed', duration: 10, cover: 0, ignore: {} }]
    const { user, network } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [{ ...alert, rules }] },
      prepare: alterSetting({}, { wheelhouse: undefined }),
    })
    await screen.findByText(/^“unit_failed” is not a known value/)
    expect(within(await rule(1)).queryByRole('option', { name: 'Reboot needed' })).toBeNull()
    await user.type(await field('Name'), '!')
    await user.click(button('Save'))
    await waitFor(() => expect(network.sent.at(-1)?.body).toMatchObject({ name: 'High load!', rules }))
  })

  it('asks for a cycle where the value is summed up over one', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: {
        'alert-rule': [{ ...alert, rules: [{ type: 'transfer_all', max: 1099511627776, duration: 10, cover: 0 }] }],
      },
    })
    const watched = within(await rule(1)).getByRole('combobox', { name: 'Metric' })
    await user.selectOptions(watched, 'Total traffic per cycle')
    await screen.findByText('Total traffic per cycle goes above 1 TiB within a cycle of 1 month, on all servers')
    expect(within(await rule(1)).queryByRole('textbox', { name: 'Samples' })).toBeNull()
    const length = within(await rule(1)).getByRole('textbox', { name: 'Length of the cycle' })
    await user.clear(length)
    await user.click(button('Save'))
    await screen.findByText('Rule 1: the cycle must have a length of at least 1')
    await user.type(length, '2')
    await user.selectOptions(within(await rule(1)).getByRole('combobox', { name: 'Unit of time' }), 'Weeks')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('alert-rule')).toMatchObject([
      { rules: [{ type: 'transfer_all_cycle', cycle_interval: 2, cycle_unit: 'week', duration: 10 }] },
    ])
  })

  it('warns of a rule that can crash a server, and of bounds that every value breaks', async () => {
    const rules = [{ type: 'gpu_max', min: 95, max: 90, duration: 10, cover: 1, ignore: { 1: true } }]
    await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [{ ...alert, rules }] },
    })
    await screen.findByText(/Covers servers that report no GPU: web-1\. For them the rule never fails/)
    await screen.findByText('The minimum is above the maximum: every value fails.')
  })
})

describe('The list of alert rules', () => {
  it('says what rules watch and copies them as JSON', async () => {
    const { user } = await renderConsole({ path: '/dashboard/alert-rule', records: { 'alert-rule': [alert] } })
    await screen.findByText('CPU use')
    await user.click(button('Copy as JSON'))
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual([cpu])
  })
})

describe('The test of a rule in front of a Nezha server', () => {
  it('begins when somebody asks for it, and says what was looked at', async () => {
    const ago = (hours: number) => Date.now() - hours * 3_600_000
    const points = Array.from({ length: 48 }, (_, index) => ({
      ts: ago(48 - index),
      value: index >= 10 && index < 13 ? 97 : 8,
    }))
    const { user, network } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { server: servers, 'alert-rule': [{ ...alert, rules: [{ ...cpu, ignore: {} }] }] },
      prepare: (app) => {
        alterSetting({}, { wheelhouse: undefined })(app)
        for (const id of [1, 2])
          alterReplies(`server/${id}/metrics`, () => ({
            server_id: id,
            server_name: '',
            metric: 'cpu',
            data_points: id === 2 ? points : points.map(({ ts }) => ({ ts, value: 8 })),
          }))(app)
      },
    })
    const asked = () => network.sent.filter(({ path }) => path.includes('/metrics') || path.includes('backtest'))
    await screen.findByText(/This reads the metrics of 2 servers/)
    expect(asked()).toEqual([])
    await user.click(button('Test the rules'))
    await screen.findByText('In the last 7 days it would have raised 1 alarm.')
    expect(await screen.findByText('web-3')).toBeDefined()
    expect(asked().map(({ path }) => path)).toHaveLength(2)
  })
})
