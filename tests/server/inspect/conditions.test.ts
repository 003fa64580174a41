import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import {
  conditionsOfContainers,
  conditionsOfDisks,
  conditionsOfPackages,
  conditionsOfUnits,
  createConditions,
  openWaitingUpdates,
} from '../../../server/inspect/conditions/conditions.ts'
import { parseContainers } from '../../../server/inspect/subjects/containers.ts'
import { parseDisks } from '../../../server/inspect/subjects/disks.ts'
import { parsePackages } from '../../../server/inspect/subjects/packages.ts'
import { parseSystemd } from '../../../server/inspect/subjects/units.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { readSite, writeSite } from '../../../server/site/site.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { addHost } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** The interval, unless the settings have another. */
const conditionsMs = 300_000

const section = (name: string, ...lines: string[]) => `\u001e${name}\n${lines.join('\n')}\n`

const stopped = { engine: 'docker', id: 'a'.repeat(12), image: 'nginx', ports: '', restarts: 0 } as const

describe('what rules watch is read from what machines say', () => {
  it('about units', () => {
    const units = parseSystemd('i=a.service\na=active\n\ni=b.service\na=failed\n\ni=c.service\na=failed\n')
    expect(conditionsOfUnits(units)).toEqual({ unit_failed: { value: 2, names: ['b.service', 'c.service'] } })
  })

  it('about containers', () => {
    const id = (digit: string) => digit.repeat(64)
    const output =
      section(
        'docker ps',
        `${id('a')}\tweb\tnginx\tUp 3 hours (unhealthy)\t`,
        `${id('b')}\tdb\tpostgres\tUp 3 hours\t`,
      ) + section('docker inspect', `${id('a')}\trunning\t1\t""\t\tunhealthy`, `${id('b')}\trunning\t7\t""\t\t`)
    expect(conditionsOfContainers(parseContainers(output))).toEqual({
      container_unhealthy: { value: 1, names: ['web'] },
      container_restarts: { value: 7, names: ['db'] },
      containers_down: { value: 0, names: [] },
    })
    expect(conditionsOfContainers([])).toEqual({
      container_unhealthy: { value: 0, names: [] },
      container_restarts: { value: 0, names: [] },
      containers_down: { value: 0, names: [] },
    })
    const ended = (state: string, status: string) => ({ ...stopped, name: status, state, status })
    const down = [
      ended('exited', 'Exited (0) 2 days ago'),
      ended('exited', 'Exited (1) 2 days ago'),
      ended('dead', 'Dead'),
    ]
    expect(conditionsOfContainers(down).containers_down).toEqual({ value: 2, names: ['Exited-1-2-days-ago', 'Dead'] })
  })

  it('about disks; images and what is read only do not count', () => {
    const output =
      section(
        'df',
        'Filesystem 1024-blocks Used Available Capacity Mounted on',
        '/dev/sda1 1000 950 50 95% /',
        '/dev/sdb1 1000 100 900 10% /data',
        '/dev/loop1 1000 1000 0 100% /snap/core',
        '/dev/sr0 1000 1000 0 100% /media/cd',
        '/dev/sdc1 1000 1000 0 100% /old',
      ) +
      section(
        'inodes',
        'Filesystem Inodes IUsed IFree IUse% Mounted on',
        '/dev/sda1 100 20 80 20% /',
        '/dev/sdb1 100 99 1 99% /data',
      ) +
      section(
        'mounts',
        '/dev/loop1 /snap/core squashfs ro 0 0',
        '/dev/sr0 /media/cd iso9660 ro 0 0',
        '/dev/sdc1 /old ext4 ro,relatime 0 0',
      ) +
      section('devices', 'NAME="sda" TYPE="disk" SIZE="1000" ROTA="1" TRAN="sata" SERIAL="" MODEL="A"') +
      section('mdstat', 'md0 : active raid1 sda1[0]', '      1000 blocks [2/1] [U_]') +
      section('zpool', 'tank\tONLINE') +
      section('smart /dev/sda', '{"smart_status": {"passed": false}}')
    expect(conditionsOfDisks(parseDisks(output))).toEqual({
      disk_free_min: { value: 5, names: ['/'] },
      inodes_max: { value: 99, names: ['/data'] },
      smart_failing: { value: 1, names: ['sda'] },
      raid_degraded: { value: 1, names: ['md0'] },
    })
    // Without such disks a machine is neither well nor unwell.
    expect(conditionsOfDisks([])).toEqual({})
  })

  it('about packages: an update waits from when it was first seen, also after a newer version and a restart', () => {
    const store = openStore(':memory:')
    const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
    const options = { hasServer: () => true, now: () => clock.now }
    const apt = (...lines: string[]) =>
      parsePackages(section('apt', 'Listing...', ...lines) + section('reboot', 'libc6'))
    const read = (waiting: ReturnType<typeof openWaitingUpdates>, ...lines: string[]) => {
      const items = apt(...lines)
      const names = items.flatMap(({ kind, name }) => (kind === 'update' ? [name] : []))
      return conditionsOfPackages(items, waiting.seen(1, names))
    }
    const bash = (version: string) => `bash/stable ${version} amd64 [upgradable from: 5.1]`
    const first = openWaitingUpdates(store, options)
    expect(read(first, bash('5.2'))).toEqual({
      updates_waiting: { value: 0, names: ['bash'] },
      updates: { value: 1, names: ['bash'] },
      reboot_needed: { value: 1, names: ['libc6'] },
    })
    clock.now += 3 * 86_400_000
    const second = openWaitingUpdates(store, options)
    const curl = 'curl/stable 8.2 amd64 [upgradable from: 8.1]'
    expect(read(second, curl, bash('5.3')).updates_waiting).toEqual({ value: 3, names: ['bash'] })
    clock.now += 86_400_000
    expect(read(second, curl).updates_waiting).toEqual({ value: 1, names: ['curl'] })
    expect(read(second).updates_waiting).toEqual({ value: 0, names: [] })
  })
})

/** @param ask what a machine answers. Servers above 1000 are those of another person */
const conditionsWith = (
  ask: (id: number, subject: string) => Promise<object>,
  clock: { now: number } = { now: 1_000_000 },
) =>
  createConditions({
    inspector: { ask: async (id: number, { name }: { name: string }) => (await ask(id, name)) as never },
    ownerOf: (id) => (id > 1000 ? 2 : 1),
    waitingUpdates: { seen: () => new Map() },
    everyMs: () => conditionsMs,
    log: { error: () => {} },
    now: () => clock.now,
  })

describe('a rule about what machines are asked for', () => {
  async function fixture(rules: readonly object[]) {
    const server = await testServer({ machines: createMachines })
    onTestFinished(() => server.app.close())
    const host = addHost(server)
    const folder = temporaryFolder()
    const programs = fakePrograms(folder)
    const { exec } = host.operations
    host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH: programs.path } }, signal)
    const { id } = entityTable(server.store, serverEntity).all()[0] ?? { id: 0 }
    entityTable(server.store, alertRule).insert({
      name: 'broken',
      enable: true,
      user_id: 1,
      rules: rules.map((rule) => ({ ...rule })),
    })
    const { alerts, conditions } = server.app
    return {
      server,
      host,
      id,
      programs,
      setUnit: (name: string, state: string) => writeFileSync(join(folder, 'units', name), `${state}\n`),
      /** One check after another, until this is so; the machine is asked meanwhile. */
      async checkUntil(isSo: () => boolean) {
        await expect
          .poll(async () => {
            server.clock.now += 3000
            host.report({ at: new Date(server.clock.now), host: { platform: 'debian' } })
            await alerts.check()
            return isSo()
          })
          .toBe(true)
      },
      known: () => conditions.of(id),
      alarms: () =>
        alerts.allAlarms().map(({ causes, ended_at }) => [causes, ended_at === null ? 'running' : 'over'] as const),
    }
  }

  it('raises an alarm that names the unit, and ends it when that is well', async () => {
    const { checkUntil, alarms, setUnit, server } = await fixture([{ type: 'unit_failed', duration: 3, cover: 0 }])
    await checkUntil(() => alarms().length > 0)
    expect(alarms()).toEqual([[[{ type: 'unit_failed', detail: 'backup.service' }], 'running']])
    const admin = await signedIn(server)
    const list = (await admin.get('wheelhouse/alarms')).body as { data: { value: object[] } }
    expect(list.data.value).toMatchObject([{ causes: [{ type: 'unit_failed', detail: 'backup.service' }] }])
    setUnit('backup.service', 'active')
    server.clock.now += conditionsMs
    await checkUntil(() => alarms()[0]?.[1] === 'over')
  })

  const id = 'a1'.repeat(32)
  const container = (restarts: number, health: string) => `
case "$1 $2" in
  'ps -aq') echo ${id} ;;
  ps*) printf '${id}\\tshop\\timg\\tUp 2 minutes\\t\\n' ;;
  inspect*) printf '${id}\\trunning\\t${restarts}\\t\\t\\t${health}\\timg\\t\\n' ;;
esac`
  const disk = (used: number, inodes: number) => `
case $* in *i*) used=${inodes} ;; *) used=${used} ;; esac
printf 'Filesystem 1024-blocks Used Available Capacity Mounted on\\n/dev/sda1 100 %s %s %s%% /srv\\n' $used $((100 - used)) $used`
  const smart = (passed: boolean) => `
case $1 in --scan) echo '/dev/sda -d sat' ;; *) echo '{"smart_status":{"passed":${passed}},"model_name":"X"}' ;; esac`
  const apt = "echo 'curl/stable 8.2 amd64 [upgradable from: 8.1]'"

  it.each<[type: string, bounds: object, about: string, program: string, broken: string, well: string]>([
    ['container_unhealthy', {}, 'shop', 'docker', container(0, 'unhealthy'), container(0, 'healthy')],
    ['container_restarts', { max: 3 }, 'shop', 'docker', container(4, ''), container(0, '')],
    ['disk_free_min', { min: 10 }, '/srv', 'df', disk(95, 1), disk(50, 1)],
    ['inodes_max', { max: 90 }, '/srv', 'df', disk(50, 99), disk(50, 1)],
    ['smart_failing', {}, 'sda', 'smartctl', smart(false), smart(true)],
    ['raid_degraded', {}, 'tank', 'zpool', "printf 'tank\\tDEGRADED\\n'", "printf 'tank\\tONLINE\\n'"],
    ['updates_waiting', { max: 3 }, 'curl', 'apt', apt, 'exit 0'],
    ['reboot_needed', {}, 'needs-restarting', 'needs-restarting', 'exit 1', 'exit 0'],
  ])(
    'of the type %s is raised once with what it is about, and ends once',
    async (type, bounds, about, program, broken, well) => {
      const { checkUntil, alarms, known, programs, server } = await fixture([
        { type, duration: 3, cover: 0, ...bounds },
      ])
      programs.replace('apt-get', '')
      programs.replace(program, broken)
      await checkUntil(() => known() !== undefined)
      // Updates wait from when they were first seen.
      server.clock.now += 4 * 86_400_000
      await checkUntil(() => alarms().length > 0)
      expect(alarms()).toEqual([
        [[expect.objectContaining({ type, detail: expect.stringContaining(about) })], 'running'],
      ])
      programs.replace(program, well)
      server.clock.now += conditionsMs
      await checkUntil(() => alarms()[0]?.[1] === 'over')
      server.clock.now += conditionsMs
      await checkUntil(() => known() !== undefined)
      expect(alarms()).toHaveLength(1)
    },
  )

  it('asks every five minutes, or as the settings say, for what it is about, and only machines that it covers', async () => {
    const { checkUntil, known, programs, server, id } = await fixture([
      { type: 'unit_failed', duration: 3, cover: 0 },
      { type: 'container_restarts', max: 3, duration: 3, cover: 0 },
    ])
    await checkUntil(() => known() !== undefined)
    expect(Object.keys(known() ?? {})).toEqual(expect.arrayContaining(['container_restarts', 'unit_failed']))
    expect(Object.keys(known() ?? {})).not.toContain('inodes_max')
    const admin = await signedIn(server)
    const list = async (browser = admin) =>
      ((await browser.get('wheelhouse/conditions')).body as { data: object[] }).data
    expect(await list()).toEqual([{ server_id: id, failed_units: 1, containers_down: 0 }])
    expect(await list(await signedIn(server, 'member'))).toBeUndefined()
    const asked = () => programs.calls('systemctl').filter((call) => call.includes('ActiveState')).length
    expect(asked()).toBe(1)
    server.clock.now += conditionsMs / 2
    const betweenAt = server.clock.now
    await checkUntil(() => server.clock.now > betweenAt + 30_000)
    expect(asked()).toBe(1)
    server.clock.now += conditionsMs / 2
    await checkUntil(() => asked() === 2)
    const { inspect_minutes } = readSite(server.store)
    writeSite(server.store, { ...readSite(server.store), inspect_minutes: 60 })
    server.clock.now += conditionsMs
    const longerAt = server.clock.now
    await checkUntil(() => server.clock.now > longerAt + 30_000)
    expect(asked()).toBe(2)
    writeSite(server.store, { ...readSite(server.store), inspect_minutes })
    await checkUntil(() => asked() === 3)
    const rules = [{ type: 'unit_failed', duration: 3, cover: 0, ignore: { [id]: true } }]
    entityTable(server.store, alertRule).update(1, { rules, updated_at: 'later' })
    await server.app.alerts.check()
    server.clock.now += 3 * conditionsMs
    const changedAt = server.clock.now
    await checkUntil(() => server.clock.now > changedAt + 30_000)
    expect(asked()).toBe(3)
    expect(known()).toBeUndefined()
  })

  it('asks for a column while somebody looks at it, without a rule, and for those who may look only', async () => {
    const { programs, server, host, id } = await fixture([])
    const [admin, member] = [await signedIn(server), await signedIn(server, 'member')]
    const asked = () => programs.calls('systemctl').filter((call) => call.includes('ActiveState')).length
    const look = async (column: string, browser = admin) =>
      ((await browser.get(`wheelhouse/conditions?column=${column}`)).body as { data?: object[] }).data
    expect(await look('failed_units', member)).toBeUndefined()
    expect(await look('')).toBeUndefined()
    await expect.poll(() => look('failed_units')).toEqual([{ server_id: id, failed_units: 1 }])
    await look('failed_units')
    expect(asked()).toBe(1)
    server.clock.now += conditionsMs
    // One that is offline is not asked.
    await look('failed_units')
    expect(asked()).toBe(1)
    await expect
      .poll(async () => {
        host.report({ at: new Date(server.clock.now), host: { platform: 'debian' } })
        await look('failed_units')
        return asked()
      })
      .toBe(2)
    server.clock.now += 4 * conditionsMs
    expect(await look('')).toBeUndefined()
    expect(asked()).toBe(2)
    expect((await admin.get('wheelhouse/conditions?column=load')).body).toMatchObject({
      error: expect.stringContaining('column is not valid'),
    })
  })

  it('neither raises nor ends anything while a machine cannot be asked', async () => {
    const { checkUntil, alarms, known, host, server } = await fixture([{ type: 'unit_failed', duration: 3, cover: 0 }])
    await checkUntil(() => alarms().length > 0)
    const { exec } = host.operations
    host.operations.exec = async () => ({
      exit_code: 0,
      stdout: '',
      stderr: '',
      duration_ms: 0,
      error: 'agent disabled command execution',
    })
    server.clock.now += 3 * conditionsMs
    await checkUntil(() => known() === undefined)
    const unknownAt = server.clock.now
    await checkUntil(() => server.clock.now > unknownAt + 30_000)
    expect(alarms().map(([, state]) => state)).toEqual(['running'])
    host.operations.exec = exec
    server.clock.now += conditionsMs
    await checkUntil(() => known() !== undefined)
    expect(alarms()).toHaveLength(1)
    expect(server.logged).toEqual([])
  })

  it('asks eight machines of a person at a time', async () => {
    let asking = 0
    let most = 0
    const done = new Set<number>()
    const conditions = conditionsWith(async (id) => {
      asking++
      most = Math.max(most, asking)
      await new Promise((resolve) => setImmediate(resolve))
      asking--
      done.add(id)
      return { items: [] }
    })
    for (let id = 1; id <= 500; id++) conditions.want(id, ['units'])
    await expect.poll(() => done.size).toBe(500)
    expect(most).toBe(8)
    expect(conditions.of(500)).toEqual({ unit_failed: { value: 0, names: [] } })
  })

  it('is not held up by machines of other people that never answer', async () => {
    const asked: number[] = []
    const conditions = conditionsWith((id) => {
      asked.push(id)
      return new Promise(() => {})
    })
    for (let id = 1; id <= 20; id++) conditions.want(id, ['units'])
    conditions.want(1001, ['units'])
    await expect.poll(() => asked).toContain(1001)
    expect(asked).toHaveLength(9)
  })

  it('is asked at the next check when there was no place for it in time', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const asked: number[] = []
    const answers: ((answer: object) => void)[] = []
    const conditions = conditionsWith((id) => {
      asked.push(id)
      return new Promise((resolve) => answers.push(resolve))
    })
    for (let id = 1; id <= 9; id++) conditions.want(id, ['units'])
    await vi.advanceTimersByTimeAsync(300_000)
    expect(asked).toHaveLength(8)
    for (const answer of answers) answer({ items: [] })
    await vi.advanceTimersByTimeAsync(0)
    for (let id = 1; id <= 9; id++) conditions.want(id, ['units'])
    await vi.advanceTimersByTimeAsync(0)
    expect(asked.slice(8)).toEqual([9])
  })

  it('waits once for a machine that does not answer, and asks it for something else first the next time', async () => {
    const asked: string[] = []
    const clock = { now: 1_000_000 }
    const conditions = conditionsWith(async (_id, subject) => {
      asked.push(subject)
      return subject === 'disks' ? { items: [], cause: 'timeout' } : { items: [] }
    }, clock)
    conditions.want(1, ['disks', 'units'])
    await expect.poll(() => asked).toEqual(['disks'])
    clock.now += conditionsMs
    await expect
      .poll(() => {
        conditions.want(1, ['disks', 'units'])
        return asked
      })
      .toEqual(['disks', 'units', 'disks'])
    await expect.poll(() => conditions.of(1)).toEqual({ unit_failed: { value: 0, names: [] } })
  })
})
