import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StoreError } from '../../../server/db/storeError.ts'
import { StartError } from '../../../server/log.ts'
import { hasNamespaces } from '../../support/server/process/namespaces.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { signInAt, startServerProcess } from '../../support/server/process/serverProcess.ts'
import { spawnServer } from '../../support/server/process/spawnServer.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const password = 'correct horse'
const newDataDir = () => join(temporaryFolder(), 'deep', 'data')

describe('a start that cannot succeed says so in one sentence, and changes nothing', () => {
  /** What the process prints, which is all of its output, before it ends with exit code 1. */
  const refusalOfProcess = async (settings: Record<string, string>) => {
    const server = await startServerProcess(settings)
    expect(server.address).toBe('')
    expect(await server.ended).toBe(1)
    expect(server.output().trim().split('\n')).toHaveLength(1)
    return server.output()
  }

  /** The same without a process: it prints the message of these two errors, and more of any other one. */
  const refusal = async (settings: Record<string, string>) => {
    const logged: string[] = []
    const take = (text: string) => void logged.push(text)
    const error = await startServerHere(settings, { info: take, warn: take, error: take }).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!(error instanceof StartError || error instanceof StoreError)) throw new Error('no refusal', { cause: error })
    expect([...logged, ...error.message.split('\n')]).toHaveLength(1)
    return error.message
  }

  it('when a setting is invalid', async () => {
    const dataDir = newDataDir()
    expect(await refusalOfProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'short' })).toMatch(
      /^ADMIN_PASSWORD has 5 characters: choose/,
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  it('after a warning of a misspelled name, which may be the reason', async () => {
    const server = await startServerProcess({
      DATABASE_ULR: 'postgres://db.example.org/a',
      CLUSTER_ADDRESS: '10.0.0.5',
    })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(
      /^Warning: DATABASE_ULR is no setting: did you mean DATABASE_URL\?\nCLUSTER_ADDRESS is set and DATABASE_URL is not/,
    )
  })

  it.each([
    'wheelhouse.db',
    'history.db',
    'audit.log',
    'oauth2.json',
    'admin-password.txt',
    'server.lock',
    'server.pid',
  ])('when %s is a folder', async (name) => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, name))
    chmodSync(dataDir, 0o700)
    const output = await refusal({ DATA_DIR: dataDir })
    expect(output).toContain(`${join(dataDir, name)} is a folder, and a file belongs there: move the folder away`)
    expect(readdirSync(dataDir)).toEqual([name])
  })

  it('when the database is an empty file', async () => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'wheelhouse.db'), '')
    chmodSync(dataDir, 0o700)
    expect(await refusalOfProcess({ DATA_DIR: dataDir })).toMatch(/^The database \S+wheelhouse\.db is an empty file, /)
  })

  it('when the database is lost and the rest of an earlier server is there, until somebody restores or moves it', async () => {
    const dataDir = newDataDir()
    const settings = { DATA_DIR: dataDir, ADMIN_PASSWORD: password }
    await (await startServerHere(settings)).stop()
    const database = join(dataDir, 'wheelhouse.db')
    const backup = join(temporaryFolder(), 'copy.db')
    renameSync(database, backup)
    const leftovers = readdirSync(dataDir)
    expect(leftovers).toContain('history.db')
    expect(await refusal(settings)).toMatch(
      /^The database \S+wheelhouse\.db is missing, and what an earlier server left is there \(history\.db\S* ?.*\): restore a backup \(wheelhouse restore FILE\), or move these files away/,
    )
    expect(existsSync(database)).toBe(false)
    expect(readdirSync(dataDir)).toEqual(leftovers)

    expect(await runCommandHere(['restore', backup], settings)).toMatchObject({ code: 0 })
    await (await startServerHere(settings)).stop()
    // Begun anew, with what the operator wrote.
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name))
    writeFileSync(join(dataDir, 'oauth2.json'), '{}', { mode: 0o600 })
    await (await startServerHere(settings)).stop()
  })

  it.each(['history.db', 'second-factor.key', 'audit.log', 'wheelhouse.db-wal'])(
    'when nothing but %s of an earlier server is there',
    async (name) => {
      const dataDir = temporaryFolder()
      chmodSync(dataDir, 0o700)
      writeFileSync(join(dataDir, name), 'x')
      expect(await refusal({ DATA_DIR: dataDir })).toContain(`left is there (${name})`)
      expect(readdirSync(dataDir)).toEqual([name])
    },
  )

  it('when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const dataDir = newDataDir()
    expect(await refusalOfProcess({ DATA_DIR: dataDir, PORT: String(port) })).toMatch(
      new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use: stop`),
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  it('when the upstream of a gateway is the gateway itself', async () => {
    const dataDir = newDataDir()
    const itself = /^UPSTREAM is http:\/\/localhost:18009, which is this gateway itself: set it to/
    expect(await refusal({ DATA_DIR: dataDir, PORT: '18009', UPSTREAM: 'http://localhost:18009' })).toMatch(itself)
    const behindItself = { PUBLIC_URL: 'https://a.example', UPSTREAM: 'https://a.example' }
    expect(await refusal({ DATA_DIR: dataDir, ...behindItself })).toMatch(/^UPSTREAM is https:\/\/a\.example, which/)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('when commands are forbidden for a gateway', async () => {
    const settings = { UPSTREAM: 'https://a.example', DISABLE_COMMAND_EXECUTE: 'true' }
    expect(await refusal(settings)).toMatch(/^DISABLE_COMMAND_EXECUTE is for this machine, .*leave it out, and/)
  })

  it('when visitors of a gateway should sign in', async () => {
    const settings = { UPSTREAM: 'https://a.example', FORCE_AUTH: 'true' }
    expect(await refusal(settings)).toMatch(/^FORCE_AUTH is for the embedded server: .*leave it out, and/)
  })

  it('when the certificates for a gateway cannot be read', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'ca.pem')
    const broken = '-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----'
    for (const [content, why] of [
      [undefined, 'ENOENT'],
      ['', 'no certificate in it'],
      [broken, 'error:'],
    ] as const) {
      if (content !== undefined) writeFileSync(file, content)
      const output = await refusal({ UPSTREAM: 'https://a.example', UPSTREAM_CA: file })
      expect(output).toMatch(/^UPSTREAM_CA is \S+ \(.+\): set it to a file with certificates in PEM\.$/)
      expect(output).toContain(why)
    }
  })

  it('when HOST is an address that this machine does not have', async () => {
    const dataDir = newDataDir()
    expect(await refusal({ DATA_DIR: dataDir, HOST: '192.0.2.123', PORT: '18008' })).toMatch(
      /^HOST is 192\.0\.2\.123, which/,
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  it('when another server uses the data folder, with its process id', async () => {
    const dataDir = newDataDir()
    const first = await startServerProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })
    expect(await refusal({ DATA_DIR: dataDir })).toMatch(
      new RegExp(`^Another server \\(process ${first.pid}\\) is using the data folder ${dataDir}: stop it`),
    )
    expect(await signInAt(first.address, 'admin', password)).toMatchObject({ body: { success: true } })
  })

  it('when the data folder cannot be created', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'mine')
    expect(await refusal({ DATA_DIR: join(file, 'data') })).toMatch(
      /^The data folder .* cannot be made \(ENOTDIR\): set DATA_DIR/,
    )
    expect(await refusal({ DATA_DIR: file })).toMatch(/^The data folder .* cannot be made \(EEXIST\): set DATA_DIR/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it.runIf(process.platform === 'linux')('when the system makes no folders there', async () => {
    expect(await refusal({ DATA_DIR: '/proc/wheelhouse/data' })).toMatch(
      /^The data folder .* cannot be made \(ENOENT\): set DATA_DIR/,
    )
  })

  it.runIf(hasNamespaces).each([
    ['soon', ''],
    ['already', 'dd if=/dev/zero of="$DATA_DIR/large" bs=1k 2>/dev/null;'],
  ])('when the disk is full %s', async (_when, fill) => {
    const mount = `mount -t tmpfs -o size=700k,mode=0700 small "$DATA_DIR" && { ${fill} exec "$@"; }`
    const through = ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh']
    const server = await spawnServer({ DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: password }, { through })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/^The disk of \S+ is full: free some space and start again\.\n$/)
  })

  it('when the data folder is open to others and contains other files', async () => {
    const dataDir = temporaryFolder()
    chmodSync(dataDir, 0o755)
    mkdirSync(join(dataDir, 'theirs'))
    expect(await refusal({ DATA_DIR: dataDir })).toMatch(/ is open to other users and holds other files: set DATA_DIR/)
    expect(statSync(dataDir).mode & 0o777).toBe(0o755)
    expect(readdirSync(dataDir)).toEqual(['theirs'])
  })

  it('when a newer version wrote the database', async () => {
    const dataDir = newDataDir()
    await (await startServerHere({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })).stop()
    const database = new DatabaseSync(join(dataDir, 'wheelhouse.db'))
    database.exec('PRAGMA user_version = 999')
    database.close()
    const before = readFileSync(join(dataDir, 'wheelhouse.db'))
    expect(await refusal({ DATA_DIR: dataDir })).toMatch(/has version 999, and .*: start the newer Wheelhouse/)
    expect(readFileSync(join(dataDir, 'wheelhouse.db'))).toEqual(before)
    expect(readdirSync(dataDir).sort()).toEqual([
      'audit.log',
      'history.db',
      'server.lock',
      'wheelhouse.db',
      'wheelhouse.db.reserve',
    ])
  })
})
