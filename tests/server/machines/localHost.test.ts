import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { HostReport } from '../../../server/machines/hosts/host.ts'
import {
  createLocalHost,
  type LocalHost,
  type LocalHostOptions,
} from '../../../server/machines/hosts/local/localHost.ts'
import { createPortableReader } from '../../../server/machines/hosts/local/metrics/counterReaders.ts'
import { describeGpus } from '../../../server/machines/hosts/local/metrics/gpus.ts'
import { describeCpus, parseOsRelease } from '../../../server/machines/hosts/local/metrics/platform.ts'
import { createReportLoop } from '../../../server/machines/hosts/local/metrics/reportLoop.ts'
import { readLinuxTemperatures } from '../../../server/machines/hosts/local/metrics/temperatures.ts'

const identity = { uuid: '7c1c0d3e-2222-4222-8333-944445555677', version: '1.2.3' }

/** A host that is stopped when the test ends, with its reports and errors. */
function watched(options: Partial<LocalHostOptions> = {}): {
  host: LocalHost
  reports: HostReport[]
  errors: unknown[]
} {
  const errors: unknown[] = []
  const reports: HostReport[] = []
  const host = createLocalHost({ ...identity, onError: (error) => errors.push(error), ...options })
  host.onReport((report) => reports.push(report))
  onTestFinished(() => host.stop())
  return { host, reports, errors }
}

function burn(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) Math.sqrt(end)
}

const cores = os.cpus().length
const onLinux = it.runIf(os.platform() === 'linux')

describe('this machine', () => {
  it('reports its name, uuid, platform and version', async () => {
    const { host, errors } = watched()
    const facts = await host.facts()
    expect(host.name()).toBe(os.hostname())
    expect(facts.uuid).toBe(identity.uuid)
    expect(facts.host).toMatchObject({ version: '1.2.3', arch: os.machine(), mem_total: os.totalmem() })
    expect(facts.host.platform).toMatch(/\w/)
    expect(facts.host.platform_version).toMatch(/\d/)
    expect(facts.host.cpu.join()).toMatch(/\S+ \d+ (Virtual|Physical) Core/)
    expect(facts.host.disk_total).toBeGreaterThan(100e6)
    expect(errors).toEqual([])
  })

  it('has metrics that are consistent with each other', async () => {
    const { host } = watched()
    const { host: facts } = await host.facts()
    const state = await host.readState()
    expect(state.mem_used).toBeGreaterThan(process.memoryUsage().rss / 2)
    expect(state.mem_used).toBeLessThan(facts.mem_total)
    expect(state.disk_used).toBeGreaterThan(0)
    expect(state.disk_used).toBeLessThan(facts.disk_total)
    expect(state.swap_used).toBeLessThanOrEqual(facts.swap_total)
    expect(state.process_count).toBeGreaterThan(1)
    expect(Math.abs(Date.now() / 1000 - facts.boot_time - state.uptime)).toBeLessThan(60)
  })

  it('shows more processor use while a processor is busy', async () => {
    const { host } = watched()
    await host.readState()
    burn(800)
    const { cpu } = await host.readState()
    expect(cpu).toBeGreaterThan(50 / cores)
    expect(cpu).toBeLessThanOrEqual(100)
  })

  onLinux('shows more processes while more are running', async () => {
    const { host } = watched()
    const before = (await host.readState()).process_count
    // Many, because other processes come and go on the machine meanwhile.
    const children = Array.from({ length: 60 }, () => spawn('sleep', ['60'], { stdio: 'ignore' }))
    onTestFinished(async () => {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => child.signalCode ?? once(child, 'exit')))
    })
    const { process_count } = await host.readState()
    expect(process_count).toBeGreaterThanOrEqual(before + 20)
  })

  it('reports at intervals from start to stop, and again after a second start', async () => {
    const { host, reports, errors } = watched({ intervalMs: 30 })
    host.start()
    host.start()
    await expect.poll(() => reports.length).toBeGreaterThan(2)
    await host.stop()
    const seen = reports.length
    const gaps = reports.slice(1).map((report, index) => Number(report.at) - Number(reports[index]?.at))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(25)
    await wait(150)
    expect(reports).toHaveLength(seen)
    host.start()
    await expect.poll(() => reports.length).toBeGreaterThan(seen)
    expect(reports.at(-1)?.facts.host.disk_total).toBeGreaterThan(0)
    expect(errors).toEqual([])
  })

  it('is not read any more after stop', async () => {
    let reads = 0
    const report = async () => {
      reads += 1
      throw new Error('not to be asked')
    }
    const loop = createReportLoop({ report, intervalMs: () => 10, firstAfterMs: 20, onError: () => {} })
    loop.start()
    await loop.stop()
    await wait(100)
    expect(reads).toBe(0)
  })

  it('goes on reporting to the others when one listener fails or unsubscribes', async () => {
    const { host, reports, errors } = watched({ intervalMs: 20 })
    const left: HostReport[] = []
    const unsubscribe = host.onReport((report) => left.push(report))
    const fault = new Error('a listener at fault')
    host.onReport(() => {
      throw fault
    })
    unsubscribe()
    host.start()
    await expect.poll(() => reports.length).toBeGreaterThan(1)
    expect(left).toEqual([])
    expect(errors).toContain(fault)
  })
})

describe('a machine whose /proc is elsewhere', () => {
  let root: string
  const proc = () => join(root, 'proc')
  const sys = () => join(root, 'sys')
  const write = async (path: string, text: string) => {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }

  beforeEach(async () => {
    root = await mkdtemp(join(os.tmpdir(), 'wheelhouse-host-'))
  })
  afterEach(async () => {
    await rm(root, { recursive: true })
  })

  onLinux('says once that nothing can be read, and reports as soon as it can', async () => {
    const { host, reports, errors } = watched({ intervalMs: 10, proc: proc(), sys: sys() })
    host.start()
    await expect.poll(() => errors.length).toBe(1)
    expect(String(errors[0])).toContain('Check that it is mounted and readable')
    await wait(100)
    expect(errors).toHaveLength(1)
    await write('proc/loadavg', '3.25 2.00 1.00 1/84 5681\n')
    await expect.poll(() => reports.at(-1)?.state.load_1).toBe(3.25)
  })

  onLinux('leaves metrics at zero whose files are masked', async () => {
    await write('proc/stat', 'cpu  10 0 10 80 0 0 0 0 0 0\nbtime 1795227900\n')
    const { host, errors } = watched({ proc: proc(), sys: sys() })
    const { uuid: _, host: facts } = await host.facts()
    const state = await host.readState()
    expect(facts).toMatchObject({ boot_time: 1_795_227_900, mem_total: 0, disk_total: 0, swap_total: 0 })
    expect(state).toMatchObject({ cpu: 0, mem_used: 0, net_in_transfer: 0, tcp_conn_count: 0, temperatures: [] })
    expect(errors).toEqual([])
  })

  onLinux('has the cache of ZFS as free memory', async () => {
    await write('proc/meminfo', 'MemTotal: 1000 kB\nMemAvailable: 30 kB\n')
    await write('proc/spl/kstat/zfs/arcstats', `c_min 4 ${100 * 1024}\nsize 4 ${700 * 1024}\n`)
    const { host } = watched({ proc: proc(), sys: sys() })
    expect(await host.readState()).toMatchObject({ mem_used: 370 * 1024 })
  })

  onLinux('has traffic of its network card only, with speeds from its own clock', async () => {
    let clock = 0
    const { host } = watched({ proc: proc(), sys: sys(), now: () => clock })
    const traffic = (received: number, sent: number) =>
      write(
        'proc/net/dev',
        `  lo: 999 0 0 0 0 0 0 0 999 0 0 0 0 0 0 0\n bond0: ${received} 0 0 0 0 0 0 0 ${sent} 0 0 0 0 0 0 0\n eth0: ${received} 0 0 0 0 0 0 0 ${sent} 0 0 0 0 0 0 0\n`,
      )
    await write('proc/loadavg', '0.00 0.00 0.00 1/84 5681\n')
    await mkdir(join(sys(), 'class/net/eth0/device'), { recursive: true })
    await traffic(1000, 100)
    expect(await host.readState()).toMatchObject({ net_in_transfer: 1000, net_out_transfer: 100, net_in_speed: 0 })
    clock += 2000
    await traffic(5000, 300)
    expect(await host.readState()).toMatchObject({ net_in_transfer: 5000, net_in_speed: 2000, net_out_speed: 100 })
    clock += 2000
    await traffic(10, 1)
    expect(await host.readState()).toMatchObject({ net_in_transfer: 10, net_in_speed: 0, net_out_speed: 0 })
  })

  it('has the temperatures of its sensor chips, without those that do not answer', async () => {
    await write('sys/class/hwmon/hwmon0/name', 'coretemp\n')
    await write('sys/class/hwmon/hwmon0/temp10_input', '51000\n')
    await write('sys/class/hwmon/hwmon0/temp1_input', '47500\n')
    await write('sys/class/hwmon/hwmon0/temp1_label', 'Package id 0\n')
    await write('sys/class/hwmon/hwmon0/temp2_input', '')
    await write('sys/class/thermal/thermal_zone0/temp', '30000\n')
    expect(await readLinuxTemperatures(sys())).toEqual([
      { Name: 'coretemp_package_id_0', Temperature: 47.5 },
      { Name: 'coretemp', Temperature: 51 },
    ])
  })

  it('has the temperatures of its thermal zones where it has no chip', async () => {
    await write('sys/class/thermal/thermal_zone0/type', 'cpu-thermal\n')
    await write('sys/class/thermal/thermal_zone0/temp', '42123\n')
    expect(await readLinuxTemperatures(sys())).toEqual([{ Name: 'cpu-thermal', Temperature: 42.123 }])
  })
})

describe('a machine without /proc', () => {
  it('has processor, memory and traffic metrics from Node and the library', async () => {
    const errors: unknown[] = []
    const { read, cachedMetrics } = createPortableReader({
      now: () => performance.now(),
      onError: (error) => errors.push(error),
    })
    const before = read()
    await Promise.all(cachedMetrics.map((metric) => metric.first()))
    burn(100)
    const after = read()
    expect(after.cpu.busy).toBeGreaterThan(before.cpu.busy)
    expect(after.memory.total).toBe(os.totalmem())
    expect(after.memory.used).toBeGreaterThan(0)
    expect(after.memory.used).toBeLessThan(after.memory.total)
    expect(after.network.at).toBeGreaterThan(before.network.at)
    expect(Math.abs(Date.now() / 1000 - after.bootTime - after.uptime)).toBeLessThan(60)
    expect(errors).toEqual([])
  })
})

describe('what a machine is called', () => {
  it('counts the cores of each processor model', () => {
    expect(describeCpus(['Xeon A', 'Xeon A', 'Xeon B'], true)).toEqual([
      'Xeon A 2 Virtual Core',
      'Xeon B 1 Virtual Core',
    ])
    expect(describeCpus(['Ryzen'], false)).toEqual(['Ryzen 1 Physical Core'])
  })

  it('takes the point release of Debian from its own file, and no other distribution from there', () => {
    expect(parseOsRelease('NAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n', '12.11\n')).toEqual({
      platform: 'debian',
      version: '12.11',
    })
    expect(parseOsRelease('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n', 'trixie/sid\n')).toEqual({
      platform: 'ubuntu',
      version: '24.04',
    })
    expect(parseOsRelease('ID=debian\n', 'trixie/sid\n')).toEqual({ platform: 'debian', version: '' })
    expect(parseOsRelease('', '')).toEqual({ platform: '', version: '' })
  })

  it('reports only graphics processors that have a usage metric', () => {
    const card = { vendor: 'v', bus: '', vram: null, vramDynamic: false }
    expect(describeGpus([{ ...card, model: 'GD 5446' }])).toEqual({ names: ['GD 5446'], use: [], reportsUse: false })
    expect(describeGpus([{ ...card, model: 'AD102', name: 'RTX 4090', utilizationGpu: 37 }])).toEqual({
      names: ['RTX 4090'],
      use: [37],
      reportsUse: true,
    })
  })
})
