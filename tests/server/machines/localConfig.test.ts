import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMemoryConfigStore } from '../../../server/machines/hosts/local/localConfig.ts'
import { createLocalHost, type LocalHostOptions } from '../../../server/machines/hosts/local/localHost.ts'

const uuid = '7c1c0d3e-2222-4222-8333-944445555677'

function machine(options: Partial<LocalHostOptions> = {}) {
  const messages: string[] = []
  const configStore = createMemoryConfigStore()
  const onError = (error: unknown) => messages.push((error as Error).message)
  const host = createLocalHost({ uuid, version: '1.2.3', configStore, onError, ...options })
  onTestFinished(() => host.stop())
  const config = async () => JSON.parse(await host.config())
  return { host, messages, configStore, config }
}

describe('the settings of this machine', () => {
  it('have defaults: a report every two seconds, no self-update', async () => {
    expect(await machine().config()).toMatchObject({
      uuid,
      report_delay: 2,
      gpu: true,
      temperature: true,
      disable_force_update: true,
    })
  })

  it('are merged by key, keep unknown keys, and survive a restart', async () => {
    const { host, configStore, messages } = machine()
    await host.applyConfig('{"report_delay":4,"own_key":{"a":[1]}}')
    await host.applyConfig('{"skip_procs_count":true,"nic_allowlist":{"eth0":true}}')
    await host.applyConfig('{"nic_allowlist":null}')
    const after = await machine({ configStore }).config()
    expect(after).toMatchObject({ report_delay: 4, skip_procs_count: true, own_key: { a: [1] } })
    expect(after).not.toHaveProperty('nic_allowlist')
    expect(messages).toEqual([])
  })

  it('let nobody order an update, whatever they say: its software is this server', async () => {
    const { host } = machine()
    await host.applyConfig('{"disable_force_update":false}')
    await expect(host.orderUpdate()).rejects.toThrow('its software is this server')
  })

  it('cannot change its uuid', async () => {
    const { host, config } = machine()
    await host.applyConfig('{"uuid":"stolen"}')
    expect((await config()).uuid).toBe(uuid)
    expect((await host.facts()).uuid).toBe(uuid)
  })

  it.each([
    ['what is no JSON', 'zzz', /not valid JSON/],
    ['what is no object', '[1]', /must be a JSON object/],
    ['a value that cannot be', '{"gpu":false,"report_delay":9}', /"report_delay" has a value that cannot be: 9/],
  ])('stay as they are when they are given %s, and whoever sent it is told', async (_, text, reason) => {
    const { host, config } = machine()
    const before = await config()
    await expect(host.applyConfig(text)).rejects.toThrow(reason)
    expect(await config()).toEqual(before)
  })

  it('that are stored and invalid are left as they are, and the defaults hold', async () => {
    const configStore = createMemoryConfigStore()
    configStore.write('{"report_delay":"often"}')
    const { config, messages } = machine({ configStore })
    expect(await config()).toMatchObject({ uuid, report_delay: 'often' })
    expect(messages.join()).toContain('"report_delay"')
  })
})

describe('what this machine reports follows its settings', () => {
  it('leaves out what is not to be counted', async () => {
    const { host } = machine()
    const before = await host.readState()
    expect(before.process_count).toBeGreaterThan(0)
    await host.applyConfig('{"skip_procs_count":true,"skip_connection_count":true,"temperature":false,"gpu":false}')
    expect(await host.readState()).toMatchObject({
      process_count: 0,
      tcp_conn_count: 0,
      udp_conn_count: 0,
      temperatures: [],
      gpu: [],
    })
    expect((await host.facts()).host.gpu).toEqual([])
  })

  it('counts only the interfaces and disks that are named', async () => {
    const { host } = machine()
    await host.applyConfig('{"nic_allowlist":{"no-such":true},"hard_drive_partition_allowlist":["/no/such"]}')
    const { disk_used, net_in_transfer, net_out_transfer } = await host.readState()
    expect({ disk_used, net_in_transfer, net_out_transfer }).toEqual({
      disk_used: 0,
      net_in_transfer: 0,
      net_out_transfer: 0,
    })
  })

  it('reports at the configured interval', async () => {
    const { host } = machine()
    await host.applyConfig('{"report_delay":3}')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    host.start()
    await expect.poll(() => timers.mock.calls.map(([, ms]) => ms)).toContain(3_000)
  })

  it('runs no commands when they are disabled', async () => {
    const { host } = machine()
    const run = () => host.run('echo ran', { timeoutMs: 5000, maxOutputBytes: 100 })
    expect((await run()).output).toBe('ran\n')
    await host.applyConfig('{"disable_command_execute":true}')
    expect(await run()).toMatchObject({ ended: 'failed', exitCode: null, output: expect.stringContaining('disabled') })
  })
})

describe('command execution that was disabled at the start', () => {
  const run = { timeoutMs: 5000, maxOutputBytes: 100 }

  it('cannot be enabled by the settings', async () => {
    const configStore = createMemoryConfigStore()
    configStore.write('{"disable_command_execute":false}')
    const { host, config } = machine({ configStore, commandsDisabled: true })
    for (const text of ['{"disable_command_execute":false}', '{"disable_command_execute":null}', '{"gpu":false}']) {
      await host.applyConfig(text)
      expect(await config()).toMatchObject({ disable_command_execute: true })
      expect(host.canRunCommands()).toBe(false)
      expect(await host.run('echo ran', run)).toMatchObject({ ended: 'failed', exitCode: null })
    }
    expect(await config()).toMatchObject({ gpu: false })
  })

  it('is not stored in the settings', async () => {
    const configStore = createMemoryConfigStore()
    const { host } = machine({ configStore, commandsDisabled: true })
    await host.applyConfig('{"disable_command_execute":true,"report_delay":1}')
    const after = machine({ configStore })
    expect(await after.config()).toMatchObject({ disable_command_execute: false, report_delay: 1 })
    expect(await after.host.run('echo ran', run)).toMatchObject({ output: 'ran\n' })
  })
})
