import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPolls } from '../../server/inspect/inspector.ts'
import type { Said, Subject } from '../../server/inspect/machine/programs.ts'
import { subjects } from '../../server/inspect/subjects/index.ts'
import { logs } from '../../server/inspect/subjects/logs.ts'
import { benchHost } from './support/benchHost.ts'
import { figure } from './support/figure.ts'

/*
 * What it costs to look into a large machine: the first page, the processor of the machine for as long as somebody looks,
 * and the memory of this server. Processes and the log are real; docker and systemd are programs that print as much as
 * those do of so many things.
 */

const counts = { processes: 2000, containers: 500, units: 5000, logBytes: 1_000_000_000 }
const looks = 12

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-inspect-'))
const logFile = join(folder, 'large.log')
let sleepers: ChildProcess | undefined

const idOf = (at: number) => at.toString(16).padStart(12, '0').padEnd(64, 'a')

function containerOutputs(): Record<string, string> {
  const lines = (text: (at: number) => string) =>
    Array.from({ length: counts.containers }, (_, at) => `${text(at)}\n`).join('')
  return {
    ps: lines(
      (at) =>
        `${idOf(at)}\tshop-web-${at}\tregistry.example/web:${at % 9}\tUp 3 hours (healthy)\t0.0.0.0:${8000 + at}->80/tcp`,
    ),
    ids: lines(idOf),
    inspect: lines(
      (at) =>
        `${idOf(at)}\trunning\t0\t"2026-11-27T08:00:00.1Z"\tshop\thealthy\tregistry.example/web:${at % 9}\tsha256:${idOf(1)}`,
    ),
    images: Array.from({ length: 9 }, (_, at) => `registry.example/web:${at}\tsha256:${idOf(1)}\n`).join(''),
    stats: lines((at) => `${idOf(at)}\t1.50%\t100MiB / 1GiB\t1.5kB / 2MB`),
  }
}

/** As `systemctl show` prints them: also what is not set. */
function unitsOutput(): string {
  return Array.from({ length: counts.units }, (_, at) =>
    [
      `Id=work-${at}@instance.service`,
      `Description=Worker ${at} of the queue for pictures and their previews`,
      'LoadState=loaded',
      'ActiveState=active',
      'SubState=running',
      'UnitFileState=enabled',
      'ActiveEnterTimestamp=Fri 2026-11-27 07:00:00 UTC',
      `MemoryCurrent=${5_242_880 + at}`,
      'NRestarts=0',
      `MainPID=${1000 + at}`,
      'NextElapseUSecRealtime=[not set]',
      'NextElapseUSecMonotonic=infinity',
      'LastTriggerUSec=n/a',
      '',
    ].join('\n'),
  ).join('\n')
}

function program(name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}`)
  chmodSync(join(folder, 'bin', name), 0o755)
}

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  for (const [name, text] of Object.entries({ ...containerOutputs(), units: unitsOutput() })) {
    writeFileSync(join(folder, name), text)
  }
  program(
    'docker',
    `case "$1 $2" in 'ps -aq') exec cat ${folder}/ids ;; stats*) sleep 2 ;; esac\nexec cat ${folder}/"$1"\n`,
  )
  program('systemctl', `case $* in *--property=Version) echo Version=252 ;; *) exec cat ${folder}/units ;; esac\n`)
  const line = 'Nov 27 08:00:00 web-1 nginx[812]: 203.0.113.9 - - "GET /pictures/previews/4242 HTTP/1.1" 200 5120'
  const written = spawn('sh', ['-c', `yes '${line}' | head -c ${counts.logBytes} > ${logFile}`])
  await once(written, 'exit')
  const many = `i=0; while [ $i -lt ${counts.processes} ]; do sleep 3600 & i=$((i + 1)); done; echo; wait`
  sleepers = spawn('sh', ['-c', many], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  await once(sleepers.stdout as NodeJS.ReadableStream, 'data')
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  if (sleepers?.pid) process.kill(-sleepers.pid, 'SIGKILL')
})

/** Jiffies per second, on all Linux systems. */
const jiffies = 100

/** Milliseconds of the processor that programs which have ended took, those that they started included. */
function spentByPrograms(): number {
  const text = readFileSync('/proc/self/stat', 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[13]) + Number(fields[14])) / jiffies) * 1000
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heapMib(): number {
  collect()
  return process.memoryUsage().heapUsed / 1_048_576
}

async function measure<Item, Query, Before extends Said<Item>>(
  subject: Subject<Item, Query, Before>,
  query: Query,
  least: number,
): Promise<void> {
  let clock = 0
  const host = benchHost(() => clock)
  const { exec } = host.operations
  const PATH = `${folder}/bin:${process.env.PATH}`
  host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH } }, signal)
  const machine = { id: 1, host, version: 'bench' }
  let firstMs = Number.POSITIVE_INFINITY
  let length = 0
  // The quickest of some: what else the machine does is not what is measured.
  for (let at = 0; at < 5; at++) {
    const began = performance.now()
    const polls = createPolls(() => clock)
    length = JSON.stringify(await polls.read(subject, machine, query)).length
    firstMs = Math.min(firstMs, performance.now() - began)
    polls.stop()
  }
  figure('first page', firstMs, 'ms', { max: 500, why: 'longer is what people call waiting' })
  const polls = createPolls(() => clock)
  let fresh = 0
  let spent = 0
  let [early, late] = [0, 0]
  for (let look = 1; look <= looks; look++) {
    const before = spentByPrograms()
    const answer = await polls.read(subject, machine, query)
    expect(answer.cause).toBeUndefined()
    expect(answer.items?.length).toBeGreaterThanOrEqual(least)
    // The page asks again after so long, but not within two seconds.
    const wait = Math.max(2000, answer.fresh_ms ?? 0)
    if (look > 1) {
      spent += spentByPrograms() - before
      fresh += wait
    }
    clock += wait
    if (look === 3) early = heapMib()
    if (look === looks) late = heapMib()
  }
  polls.stop()
  await host.stop()
  figure('processor time of a look', spent / (looks - 1), 'ms')
  figure('of a core while somebody looks', (100 * spent) / fresh, '%', { max: 2, why: 'the machine has other work' })
  figure('answer', length / 1024, 'KiB')
  figure('memory of the server, from the third look to the last', late - early, 'MiB', {
    max: 4,
    why: 'somebody may look all day',
  })
}

test(`${counts.processes} processes`, () => measure(subjects.processes, undefined, counts.processes))
test(`${counts.containers} containers`, () => measure(subjects.containers, undefined, counts.containers))
test(`${counts.units} units`, () => measure(subjects.units, undefined, counts.units))
test('the end of a log of 1 GB', () => measure(logs, { file: logFile, lines: 500 }, 500))
test('a search in a log of 1 GB', () => measure(logs, { file: logFile, lines: 500, text: 'previews/4242' }, 500))
