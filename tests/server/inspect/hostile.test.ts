import { expect, it } from 'vitest'
import { createPolls } from '../../../server/inspect/inspector.ts'
import { programsOf } from '../../../server/inspect/machine/programs.ts'
import { tellFile, tellPackage, tellProcesses, tellUnit } from '../../../server/inspect/questions/readings.ts'
import { parseContainerLog, parseContainers } from '../../../server/inspect/subjects/containers.ts'
import { parseDisks } from '../../../server/inspect/subjects/disks.ts'
import { parseHardware } from '../../../server/inspect/subjects/hardware.ts'
import { logs, parseJournal } from '../../../server/inspect/subjects/logs.ts'
import { parseNetwork } from '../../../server/inspect/subjects/network.ts'
import { parseOpenFiles } from '../../../server/inspect/subjects/openFiles.ts'
import { parsePackages } from '../../../server/inspect/subjects/packages.ts'
import { parseProcesses } from '../../../server/inspect/subjects/processes.ts'
import { parseFreeBsd, parseLaunchd, parseOpenRc, parseSystemd } from '../../../server/inspect/subjects/units.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const mebibyte = 1_048_576
/** Milliseconds of the processor for one output: what takes the square of its length takes hours. */
const bearable = 2000

/** What patterns try again and again, in a line or in as many as there can be; four of them are one output. */
const fillings = [
  [' ', '1', 'A', '-1'],
  ['\t', '-1 ', 'a.', ': '],
  ['("', '="', '[', '\r'],
  ['md0 : x\n', '[x\n', 'x\n', '\u001e'],
]

/** A parser, and beginnings of its lines that lead into its patterns; before the last `\n` is the section. */
const parsers: [string, (output: string) => unknown, string[]][] = [
  [
    'containers',
    parseContainers,
    ['\u001edocker ps\na1b2c3d4e5f6\t', '\u001edocker inspect\n', '\u001edocker stats\na1b2c3d4e5f6\t1%\t'],
  ],
  ['container log', parseContainerLog, ['', '2026-11-27T08:00:02']],
  ['systemd', parseSystemd, ['', 'i=a\na=b\ne=', 'b=1\n\ni=a\na=b\no=']],
  ['launchd', parseLaunchd, ['', '1\t0\t']],
  ['FreeBSD', parseFreeBsd, ['', '/a/b|', '/a/b|is running as pid ']],
  ['open files', (output) => parseOpenFiles(output, 1), ['fd\n', 'lsof\n', 'sockstat\n'].map(sectionOf)],
  ['OpenRC', parseOpenRc, ['', ' ', ' sshd [', ' sshd [ started ', 'Runlevel: ']],
  ['journal', parseJournal, ['', '{"__REALTIME_TIMESTAMP":"1']],
  [
    'disks',
    parseDisks,
    [
      'df\n',
      'df\n/ 1 1 1 1% /',
      'inodes\n',
      'mounts\n',
      'devices\n',
      'mdstat\n',
      'btrfs\nLabel: ',
      'geom\nGeom name: ',
      'gmirror\n',
      'mount\n',
      'inodes\niused\n',
    ].map(sectionOf),
  ],
  [
    'network',
    parseNetwork,
    [
      'addresses\n',
      'plain\na@',
      'routes\n',
      'listening\n',
      'netstat\ntcp 0 0 :::1 ',
      'open\n',
      'traffic\nIbytes\n<Link#',
      'table\nDestination Gateway Netif\n',
      'connections\n',
      'lsof ports\nPTCP\nn',
    ].map(sectionOf),
  ],
  [
    'packages',
    parsePackages,
    ['apt\n', 'dnf\na.b ', 'dnf security\n', 'apk\na-1', 'opkg\n', 'pkg\na-1', 'macOS\n Title: '].map(sectionOf),
  ],
  [
    'hardware',
    parseHardware,
    [
      'system\n',
      'memory\nMemory Device\n',
      'sensors\n',
      'hwmon\n',
      'sysctl\n',
      'pciconf\na',
      'pci\n0 ',
      'nut\nups: ',
    ].map(sectionOf),
  ],
  [
    'processes',
    parseProcesses,
    ['stat\n', 'ps\n', 'ps\n1 root', 'cgroup\n', 'io\n', 'bsd\n', 'bsd\n1 1 a S 0 1 1 1'].map(sectionOf),
  ],
  ['the state of a unit', tellUnit, ['', 'ActiveState=', 'status: ']],
  ['the version of a package', tellPackage, ['dpkg\nii ', 'rpm\n1:', 'apk\na-1', 'opkg\na - ', 'pkg\n']],
  ['the processes with a text', (output) => tellProcesses(output, 'x'), ['1\n', '1\n1 1 ']],
  ['a file', (output) => tellFile(`1 ${'a'.repeat(64)}\n${output}`), ['']],
]

function sectionOf(beginning: string): string {
  return `\u001e${beginning}`
}

it.each(parsers)(
  '%s of an agent that means harm are read within bounds',
  async (_name, parse, beginnings) => {
    for (const beginning of beginnings) {
      const line = beginning.slice(beginning.lastIndexOf('\n') + 1)
      const head = beginning.slice(0, beginning.length - line.length)
      for (const four of fillings) {
        // The end matches no `.*$`.
        const lines = four.map((filling) => `${line}${filling.repeat(mebibyte / 4 / filling.length)}x\rx\n`)
        const output = head + lines.join('')
        await expectLessProcessorTime(bearable, () => parse(output))
      }
    }
  },
  30_000,
)

it('a heading as long as an answer is not searched anew for each line', async () => {
  const heading = `${'a '.repeat(mebibyte / 4)}Ibytes Obytes`
  const output = `\u001etraffic\n${heading}\n${'<Link#\n'.repeat(mebibyte / 16)}`
  await expectLessProcessorTime(bearable, () => parseNetwork(output))
})

it.each(['999999y', '999999y 999999month 999999w', '1001y'])('a timer that runs after %s has no next run', (after) => {
  const [unit] = parseSystemd(`b=999999999999\n\ni=a.timer\na=active\no=${after}`)
  expect(unit).toEqual({ name: 'a.timer', description: '', state: 'active', sub_state: '' })
})

it('long words are not repeated in each of thousands of items', () => {
  const long = 'x'.repeat(mebibyte / 2)
  const many = (line: string) => `${line}\n`.repeat(10_000)
  const id = 'a1b2c3d4e5f6'
  const outputs = [
    parseOpenRc(`Runlevel: ${long}\n${many(' a [ started ]')}`),
    parseHardware(`\u001enut\nups: ${long}\n${many('a: b')}`),
    parseDisks(`\u001edf\n${many('a 1 1 1 - /')}\u001emounts\na / ext4 ${long}`),
    parseContainers(`\u001edocker ps\n${many(`${id}\ta`)}\u001edocker inspect\n${id}\trunning\t0\t\t${long}`),
    parseProcesses(`\u001estat\n${many('1 S 0 0 0 0 0 0 0')}\u001eps\n1 root ${long}`).items,
  ]
  for (const items of outputs) {
    expect(items.length).toBeGreaterThan(0)
    expect(JSON.stringify(items).length).toBeLessThan(64 * mebibyte)
  }
})

it('uptimes of OpenRC may have days, and paths blanks', () => {
  expect(parseOpenRc(' sshd [  started 1 day(s) 02:03:04 (0)  ]')).toMatchObject([
    { state: 'active', sub_state: 'started' },
  ])
  const output = '\u001edf\n/dev/a  10  5  5  50%  /mnt/a  b\n\u001emounts\n/dev/a /mnt/a\\040\\040b ext4 rw 0 0'
  expect(parseDisks(output)).toMatchObject([{ device: '/dev/a', type: 'ext4', used: 5120 }])
})

it.each(['', 'x', '-1', '1e30', '999999999999999999', '8640000000000000001'])(
  'a line of the journal at %j is shown as it is',
  (time) => {
    const line = JSON.stringify({ __REALTIME_TIMESTAMP: time, MESSAGE: 'a' })
    expect(parseJournal(line)).toEqual([{ message: line }])
  },
)

it('the journal reaches as far as its numbers', () => {
  const line = JSON.stringify({ __REALTIME_TIMESTAMP: `${'9'.repeat(14)}000`, MESSAGE: 'a' })
  expect(parseJournal(line)).toEqual([{ at: '5138-11-16T09:46:39.999Z', message: 'a' }])
})

it('no more is taken of a program than was asked for', async () => {
  const host = createTestHost()
  const exec = { exit_code: 0, duration_ms: 1, stderr: 'e'.repeat(200) }
  host.operations.exec = async () => ({ ...exec, stdout: 'o'.repeat(101) })
  const { stdout, stderr, stdout_truncated } = await programsOf(host, '2.1.0').run('x', [], { maxBytes: 100 })
  expect([stdout.length, stderr.length, stdout_truncated]).toEqual([100, 100, true])
  host.operations.exec = async () => ({ ...exec, stdout: 'x\n'.repeat(mebibyte) })
  const { items, truncated } = await logs.ask(programsOf(host, '2.1.0'), { file: '/var/log/a', lines: 3 }, undefined)
  expect([items.length, truncated]).toEqual([4, true])
})

it('sixteen answers of a machine are kept, with what is shown of them', async () => {
  const polls = createPolls(() => 0)
  const machine = { id: 1, host: createTestHost(), version: '2.1.0' }
  const asked: string[] = []
  let kept = 0
  const subject = {
    name: 'test',
    freshMs: 1000,
    ask: async (_programs: unknown, query: string, before?: { items: number[] }) => {
      asked.push(query)
      kept = before?.items.length ?? 0
      return { items: Array.from({ length: 10_001 }, (_, index) => index) }
    },
  }
  const read = (query: string, id = 1) => polls.read(subject, { ...machine, id }, query)
  const queries = Array.from({ length: 16 }, (_, index) => `${index}`)
  for (const query of [...queries, '0', '16', '0', '2', '15']) await read(query)
  // What was looked at longest ago gave way.
  expect(asked).toEqual([...queries, '16'])
  await read('1')
  expect(asked.at(-1)).toBe('1')
  await read('1', 2)
  await read('0')
  expect(asked).toHaveLength(19)
  polls.forget(1)
  expect((await read('0')).items).toHaveLength(10_000)
  expect(kept).toBe(10_000)
  polls.stop()
})

it('what a machine said is no longer shown than otherwise when the clock is set back', async () => {
  let now = 7_200_000
  const polls = createPolls(() => now)
  const machine = { id: 1, host: createTestHost(), version: '2.1.0' }
  let asked = 0
  const subject = { name: 'test', freshMs: 1000, ask: async () => ({ items: [++asked] }) }
  const read = async () => (await polls.read(subject, machine, '')).items
  expect(await read()).toEqual([1])
  expect(await read()).toEqual([1])
  now -= 3_600_000
  expect(await read()).toEqual([2])
  expect(await read()).toEqual([2])
  polls.stop()
})

it('what a machine was asked before something was done to it is not kept', async () => {
  const polls = createPolls(() => 0)
  const machine = { id: 1, host: createTestHost(), version: '2.1.0' }
  const answers: PromiseWithResolvers<{ items: number[] }>[] = []
  const subject = {
    name: 'test',
    freshMs: 1000,
    ask: () => {
      const answer = Promise.withResolvers<{ items: number[] }>()
      answers.push(answer)
      return answer.promise
    },
  }
  const read = () => polls.read(subject, machine, '')
  const first = read()
  polls.forget(1)
  answers[0]?.resolve({ items: [0] })
  expect((await first).items).toEqual([0])
  const second = read()
  polls.forget(1)
  const third = read()
  expect(answers).toHaveLength(3)
  answers[1]?.resolve({ items: [1] })
  answers[2]?.resolve({ items: [2] })
  expect((await second).items).toEqual([1])
  expect((await third).items).toEqual([2])
  expect((await read()).items).toEqual([2])
  expect(answers).toHaveLength(3)
  polls.stop()
})
