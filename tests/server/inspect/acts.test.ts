import { describe, expect, it, onTestFinished } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { addHost, mcpPrograms, turnMcp } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

interface Answer {
  data?: { items: Record<string, unknown>[]; text?: string; cause?: string; earlier?: string; reason?: string }
  error?: string
  success?: boolean
}

/** A server whose machine has docker and systemd, as far as these programs answer. */
async function fixture() {
  const server = await testServer({ machines: createMachines })
  onTestFinished(() => server.app.close())
  const host = addHost(server)
  const programs = fakePrograms(temporaryFolder())
  const { exec } = host.operations
  host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH: programs.path } }, signal)
  const { id } = entityTable(server.store, serverEntity).all()[0] ?? { id: 0 }
  const admin = await signedIn(server)
  return {
    server,
    host,
    programs,
    id,
    get: async (path: string) => (await admin.get(`wheelhouse/servers/${id}/${path}`)).body as Answer,
    post: async (path: string, body?: object) =>
      (await admin.call('POST', `wheelhouse/servers/${id}/${path}`, { body })).body as Answer,
    lastNoted: async () => ((await admin.get('wheelhouse/audit')).body as { data: { value: object[] } }).data.value[0],
  }
}

describe('containers', () => {
  it('are stopped, removed and paused; the engine is asked again after that', async () => {
    const { get, post, lastNoted } = await fixture()
    const states = async () => (await get('containers')).data?.items.map(({ name, state }) => `${name} ${state}`)
    const { data } = await get('containers')
    expect(data?.items[2]).toMatchObject({ name: 'web', project: 'shop', health: 'healthy', restarts: 2 })
    // Measuring takes the engine two seconds: the first look does not wait for it.
    expect(data?.items[2]).not.toHaveProperty('cpu')
    const [db, , web] = data?.items ?? []
    const act = (container: unknown, verb: string) => post(`containers/${container}/${verb}`, { engine: 'docker' })
    const refused = 'The machine said: Error response from daemon: cannot remove container "/db": container is running'
    expect(await act(db?.id, 'remove')).toEqual({ error: refused })
    expect(await act(db?.id, 'stop')).toMatchObject({ success: true })
    expect(await lastNoted()).toMatchObject({ action: 'container.act', detail: { container: db?.id, act: 'stop' } })
    expect(await act(web?.id, 'pause')).toMatchObject({ success: true })
    expect(await states()).toEqual(['db exited', 'old exited', 'web paused'])
    expect(await act('db', 'remove')).toMatchObject({ success: true })
    expect(await act(web?.id, 'unpause')).toMatchObject({ success: true })
    expect(await states()).toEqual(['old exited', 'web running'])
    expect((await get('containers')).data?.items[1]).toMatchObject({ name: 'web', cpu: 12.5 })
  })

  it('of podman under the name of docker are there once, and none of them is no failure', async () => {
    const { get, programs } = await fixture()
    const emulated = (ids: readonly string[]) => `
echo 'Emulate Docker CLI using podman.' >&2
case "$1 $2" in 'ps -aq') ;; ps*) ${ids.map((id) => `printf '%s\\tapp\\timg\\tUp 2 minutes ago\\t\\n' ${id};`).join(' ')} ;; esac`
    const id = 'a1'.repeat(32)
    for (const engine of ['docker', 'podman'] as const) programs.replace(engine, emulated([id]))
    expect((await get('containers')).data?.items).toMatchObject([{ engine: 'docker', name: 'app' }])
    const { get: getOther, programs: others } = await fixture()
    for (const engine of ['docker', 'podman'] as const) others.replace(engine, emulated([]))
    expect((await getOther('containers')).data).toMatchObject({ items: [] })
    expect((await getOther('containers')).data).not.toHaveProperty('cause')
  })

  it('of podman 3 have their details and what they take, too, whatever is in a label', async () => {
    const { get, programs, server, host } = await fixture()
    programs.replace('docker', 'exit 1')
    const id = 'a1'.repeat(32)
    programs.replace(
      'podman',
      `case $* in
  'ps -aq'*) echo ${id} ;;
  ps*) printf '${id}\\tapp\\timg\\tpaused\\t\\n' ;;
  *'json (index .Config.Labels'*State.Healthcheck*)
    printf '%s\\n' '${id}\tpaused\t3\t""\t"shop\\n\\u001epodman ps\\n"\tunhealthy\timg:1\tsha256:1' ;;
  inspect*) printf '${id}\\tpaused\\t'; echo "can't evaluate field Health" >&2; exit 125 ;;
  *--no-trunc*) echo 'unknown flag: --no-trunc' >&2; exit 125 ;;
  stats*) printf '${id.slice(0, 12)}\\t1.50%%\\t10MB / 1GB\\t1kB / 2kB\\n' ;;
esac`,
    )
    const details = { state: 'paused', restarts: 3, project: 'shop\n\u001epodman ps\n', health: 'unhealthy' }
    expect((await get('containers')).data?.items).toMatchObject([details])
    server.clock.now += 45_000
    host.report({ at: new Date(server.clock.now), host: { platform: 'debian' } })
    expect((await get('containers')).data?.items).toMatchObject([{ ...details, cpu: 1.5, received: 1000 }])
  })

  it('of an engine that does not answer have its words for it', async () => {
    const { get, programs } = await fixture()
    programs.replace('docker', "echo 'permission denied while trying to connect to the Docker daemon' >&2; exit 1")
    programs.replace('podman', "echo 'no runtime' >&2; exit 125")
    expect((await get('containers')).data).toMatchObject({ cause: 'failed', detail: 'no runtime' })
  })

  it('whose image was pulled again are old', async () => {
    const { get, post, programs } = await fixture()
    const old = async () => (await get('containers')).data?.items.flatMap(({ name, is_old }) => (is_old ? [name] : []))
    expect(await old()).toEqual([])
    expect(await post('containers/web/pull', { engine: 'docker' })).toMatchObject({ success: true })
    expect(programs.calls('docker').at(-1)).toBe('pull -q registry.example/web:1.2')
    expect(await old()).toEqual(['web'])
  })

  it('have logs and details', async () => {
    const { get } = await fixture()
    expect((await get('containers/web/logs?engine=docker&lines=10')).data?.items).toEqual([
      { at: '2026-11-27T08:00:01.5Z', message: 'first line' },
      { at: '2026-11-27T08:00:02.5Z', message: 'second line' },
    ])
    expect((await get('containers/web/inspect?engine=docker')).data?.text).toContain('"Name": "/web"')
    expect(await get('containers/web/logs')).toEqual({ error: expect.stringContaining('engine is not valid') })
    expect((await get('containers/web/logs?engine=podman')).data).toMatchObject({ items: [], cause: 'failed' })
  })

  it.each([
    ['--help', 'stop', 'docker'],
    ['web;reboot', 'stop', 'docker'],
    ['web', 'kill', 'docker'],
    ['web', 'stop', 'sh'],
  ])('%s %s by %s is refused before the machine hears of it', async (container, act, engine) => {
    const { post, programs } = await fixture()
    expect(await post(`containers/${encodeURIComponent(container)}/${act}`, { engine })).toHaveProperty('error')
    expect(() => programs.calls('docker')).toThrow(/ENOENT/)
  })
})

describe('units', () => {
  it('are started, and say what the machine answers', async () => {
    const { get, post, programs, lastNoted } = await fixture()
    const items = (await get('units')).data?.items
    expect(items).toEqual([
      expect.objectContaining({ name: 'backup.service', state: 'failed', restarts: 3, file_state: 'enabled' }),
      expect.objectContaining({
        name: 'backup.timer',
        next_run: '2026-11-28T02:00:00Z',
        last_run: '2026-11-27T02:00:05Z',
      }),
      expect.objectContaining({ name: 'nginx.service', state: 'active', since: '2026-11-27T07:00:00Z' }),
    ])
    expect(items?.[0]).not.toHaveProperty('memory')
    expect(await post('units/backup.service/start')).toMatchObject({ success: true })
    expect(programs.calls('systemctl').at(-1)).toBe('--no-ask-password start -- backup.service')
    expect(await lastNoted()).toMatchObject({ action: 'unit.act', detail: { unit: 'backup.service', act: 'start' } })
    expect((await get('units')).data?.items[0]).toMatchObject({ state: 'active' })
    const missing = 'The machine said: Failed to enable unit: Unit file gone.service does not exist.'
    expect(await post('units/gone.service/enable')).toEqual({ error: missing })
    for (const [name, act] of [
      ['--now', 'stop'],
      ['a b', 'stop'],
      ['nginx.service', 'mask'],
    ]) {
      expect(await post(`units/${encodeURIComponent(name as string)}/${act}`)).toHaveProperty('error')
    }
  })
})

describe('logs', () => {
  it('are asked of the journal by unit, priority, time and text', async () => {
    const { get, programs } = await fixture()
    const query = 'unit=nginx.service&priority=4&since=1795766000&until=1795767000&text=a.b%20$(id)&lines=50'
    const { data } = await get(`logs?${query}`)
    expect(data?.items).toEqual([
      expect.objectContaining({ at: '2026-11-27T08:00:00.000Z', identifier: 'nginx', message: 'started' }),
      expect.objectContaining({ priority: 3, message: 'disk' }),
    ])
    const [call = ''] = programs.calls('journalctl')
    for (const part of ['--unit=nginx.service', '--priority=4', '--since=@1795766000', '--lines=50']) {
      expect(call).toContain(part)
    }
    expect(call).toContain(String.raw`--grep=a\.b \$\(id\)`)
  })

  it('that nobody may read say why, in place of no lines', async () => {
    const { get, programs } = await fixture()
    programs.replace(
      'journalctl',
      `case $* in *json*) exit 0 ;; esac
echo '-- No entries --'
printf '%s\\n' 'Hint: You are currently not seeing messages from other users and the system.' '      Pass -q.' >&2`,
    )
    expect((await get('logs')).data).toMatchObject({
      cause: 'failed',
      detail: 'You are currently not seeing messages from other users and the system.',
    })
    programs.replace('journalctl', "case $* in *json*) exit 0 ;; esac\necho 'Nov 27 08:00:00 web kernel: on'")
    expect((await get('logs?text=nothing')).data).toMatchObject({ items: [] })
  })

  it('go on before those that were shown', async () => {
    const { get, programs } = await fixture()
    programs.addOlderLines(1)
    const last = (await get('logs?lines=2&since=1795766000')).data
    expect(last?.earlier).toBe('s=1;i=2')
    const before = (await get(`logs?lines=2&since=1795766000&before=${encodeURIComponent('s=1;i=2')}`)).data
    expect(before?.items.map(({ message }) => message)).toEqual(['older line 1'])
    expect(before).not.toHaveProperty('earlier')
    expect(programs.calls('journalctl').at(-1)).not.toContain('--since')
    expect(await get('logs?before=a%20b')).toEqual({ error: expect.stringContaining('before is no place') })
  })

  it('are never of another file, and of no unit that is none', async () => {
    const { get } = await fixture()
    expect(await get('logs?file=/etc/passwd')).toEqual({ error: 'file is not one below /var/log' })
    expect(await get('logs?unit=--flush')).toEqual({ error: '--flush is not the name of a unit' })
    expect(await get('logs?lines=1000000')).toEqual({ error: expect.stringContaining('lines is not valid') })
    expect((await get('logs?file=/var/log/no-such-file')).data).toMatchObject({ cause: 'failed' })
  })
})

it('programs with a token act, too', async () => {
  const { server, id, programs } = await fixture()
  turnMcp(server, true)
  const { tool, value } = mcpPrograms(server)
  const server_id = id
  expect(await value('server.inspect', { server_id, subject: 'units', search: 'failed' })).toMatchObject({
    total: 1,
    items: [{ name: 'backup.service' }],
  })
  expect(await value('unit.act', { server_id, unit: 'nginx.service', act: 'restart' })).toEqual({ done: true })
  expect(await value('container.act', { server_id, container: 'web', act: 'stop' })).toEqual({ done: true })
  expect(programs.calls('docker').at(-1)).toBe('stop web')
  expect((await value('server.logs', { server_id, unit: 'nginx.service', lines: 5 })).items).toHaveLength(2)
  const bad = await tool('unit.act', { server_id, unit: 'nginx.service', act: 'mask' })
  expect(bad.content[0].text).toContain('mask is none of start, stop, restart, enable, disable')
})
