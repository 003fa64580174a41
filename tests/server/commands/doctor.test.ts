import { randomBytes } from 'node:crypto'
import { chmodSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkTls } from '../../../server/commands/doctor/checkTls.ts'
import { readSettings } from '../../../server/settings.ts'
import { certificateFiles } from '../../support/server/certificates/certificateFiles.ts'
import { renewedCertificate } from '../../support/server/certificates/selfSigned.ts'
import { runCli } from '../../support/server/process/runCli.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

interface Result {
  check: string
  status: 'ok' | 'warning' | 'failed'
  text: string
  advice?: string
}

/** What doctor finds with these settings, and its exit code. */
async function examine(settings: Record<string, string>, args: readonly string[] = []) {
  const { stdout, stderr, code } = await runCommandHere(['doctor', '--json', ...args], settings)
  expect(stderr).toBe('')
  const results = JSON.parse(stdout) as Result[]
  return { code, results, of: (check: string) => results.filter((result) => result.check === check) }
}

/** A server of its own, and the settings with which doctor finds it. */
async function started(settings: Record<string, string> = {}) {
  const all = { DATA_DIR: temporaryFolder(), ...settings }
  const server = await startServerHere({ ...all, ADMIN_PASSWORD: 'correct horse' })
  return { server, settings: { ...all, PORT: new URL(server.address).port } }
}

describe('doctor', () => {
  it('finds a server that works: port, agents, database, permissions and the backup', async () => {
    const { settings } = await started({ BACKUP_DIR: join(temporaryFolder(), 'backups') })
    await expect
      .poll(async () => (await examine(settings)).of('backup'))
      .toMatchObject([{ status: 'ok', text: expect.stringContaining('is 0 hours old') }])
    const { of, results, code } = await examine(settings)
    expect(of('port')).toMatchObject([{ status: 'ok', text: expect.stringContaining('The server answers at') }])
    expect(of('agents')).toMatchObject([{ status: 'ok' }])
    expect(of('database')).toMatchObject([{ status: 'ok' }, { status: 'ok' }])
    expect(of('permissions')).toMatchObject([{ status: 'ok' }])
    expect(of('disk')).toHaveLength(2)
    expect(of('proxy')).toMatchObject([{ status: 'ok' }])
    expect(of('tls')).toEqual([])
    const worst = { ok: 0, warning: 1, failed: 2 }
    expect(code).toBe(Math.max(...results.map(({ status }) => worst[status])))
    const { stdout, code: codeOfProcess } = await runCli(['doctor'], settings)
    expect(codeOfProcess).toBe(code)
    expect(stdout).toMatch(/^ok {7}port {9}The server answers at http:\/\/127\.0\.0\.1:\d+ \(version /)
  })

  it('says that nothing answers, that others can look in, and that the database is damaged', async () => {
    const { server, settings } = await started()
    await server.stop()
    chmodSync(settings.DATA_DIR, 0o755)
    const stopped = await examine(settings)
    expect(stopped.code).toBe(2)
    expect(stopped.of('port')).toMatchObject([
      { status: 'failed', text: expect.stringContaining('ECONNREFUSED'), advice: expect.stringContaining('Start the') },
    ])
    expect(stopped.of('agents')).toMatchObject([{ status: 'failed', text: expect.stringContaining('ECONNREFUSED') }])
    expect(stopped.of('permissions')).toMatchObject([{ status: 'warning', advice: `chmod 700 ${settings.DATA_DIR}` }])
    expect(stopped.of('backup')).toMatchObject([{ status: 'warning', text: expect.stringContaining('BACKUP_DIR') }])
    expect(stopped.of('database')[0]).toMatchObject({ status: 'ok' })
    truncateSync(join(settings.DATA_DIR, 'wheelhouse.db'), 8192)
    expect((await examine(settings)).of('database')[0]).toMatchObject({
      status: 'failed',
      advice: expect.stringContaining('restore the latest backup'),
    })
  })

  it('says that another program has the port', async () => {
    const other = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { of, code } = await examine({
      DATA_DIR: temporaryFolder(),
      PORT: String((other.address() as AddressInfo).port),
    })
    expect(of('port')).toMatchObject([{ status: 'failed', text: expect.stringContaining('is no Wheelhouse') }])
    expect(of('agents')).toMatchObject([{ status: 'failed' }])
    expect(of('database')).toMatchObject([{ status: 'failed', text: expect.stringContaining('There is no database') }])
    expect(code).toBe(2)
  })

  it('says what arrives through the proxy: the wrong addresses, no header, and all as it should be', async () => {
    const plain = await started()
    const throughProxy = async (settings: Record<string, string>, headers: Record<string, string>) => {
      const proxy = createServer(({ url, headers: given }, response) => {
        const forwarded = { ...given, ...headers, host: `127.0.0.1:${settings.PORT}` }
        const onward = request({ port: settings.PORT, path: url, headers: forwarded }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        onward.end()
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void proxy.close())
      const PUBLIC_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      return (await examine({ ...settings, PUBLIC_URL })).of('proxy')
    }
    expect(await throughProxy(plain.settings, {})).toMatchObject([
      { status: 'warning', text: expect.stringContaining('seem to have the address of the proxy') },
    ])
    const { settings } = await started({ REAL_IP_HEADER: 'X-Real-IP' })
    expect(await throughProxy(settings, {})).toMatchObject([
      { status: 'failed', text: expect.stringContaining('have no address in the header X-Real-IP') },
    ])
    expect(await throughProxy(settings, { 'x-real-ip': '203.0.113.7' })).toMatchObject([
      { status: 'ok', text: expect.stringContaining('its requests have the header X-Real-IP') },
    ])
    expect((await examine(settings)).of('port')).toMatchObject([{ status: 'ok' }])
  })

  it('looks for no proxy in front of a server with a certificate of its own', async () => {
    const { cert, key } = certificateFiles()
    const tls = { TLS_CERT: cert, TLS_KEY: key }
    const { settings } = await started(tls)
    const PUBLIC_URL = `https://127.0.0.1:${settings.PORT}`
    expect((await examine({ ...settings, PUBLIC_URL })).of('proxy')).toEqual([
      {
        check: 'proxy',
        status: 'ok',
        text: `${PUBLIC_URL} leads here, and visitors are known by their own addresses.`,
      },
    ])
    const open = await started({ ...tls, REAL_IP_HEADER: 'X-Real-IP' })
    expect((await examine({ ...open.settings, PUBLIC_URL, HOST: '0.0.0.0' })).of('proxy')).toMatchObject([
      {
        status: 'warning',
        advice: expect.stringMatching(/^Without a proxy set the real-IP header to NZ::Use-Peer-IP/),
      },
    ])
  })

  it('sees that the clock is behind what is stored', async () => {
    const { server, settings } = await started()
    await server.stop()
    const database = new DatabaseSync(join(settings.DATA_DIR, 'wheelhouse.db'))
    database.prepare('UPDATE user SET updated_at = ?').run('2099-01-01T00:00:00Z')
    database.close()
    expect((await examine(settings)).of('clock')[0]).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('2099-01-01'),
    })
  })

  it('shows how long the own certificate is valid, and that it is another than that of the file', async () => {
    const [files, other] = [certificateFiles(), certificateFiles(renewedCertificate)]
    const { server, settings } = await started({ TLS_CERT: files.cert, TLS_KEY: files.key })
    expect((await examine(settings)).of('tls')).toMatchObject([
      { status: 'ok', text: expect.stringMatching(/is valid for \d+ more days, until 2120-01-01/) },
    ])
    expect((await examine(settings)).of('agents')).toMatchObject([{ status: 'ok' }])
    expect((await examine({ ...settings, TLS_CERT: other.cert, TLS_KEY: other.key })).of('tls').at(-1)).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('serves another certificate than'),
    })
    const onDay = (day: string) =>
      checkTls({
        settings: readSettings({ TLS_CERT: files.cert, TLS_KEY: files.key }),
        address: new URL(server.address),
        site: undefined,
        version: '',
        now: Date.parse(day),
      })
    expect(await onDay('2119-12-25')).toMatchObject([
      { status: 'warning', text: expect.stringContaining('for 7 more') },
    ])
    expect(await onDay('2120-01-03')).toMatchObject([
      { status: 'failed', text: expect.stringContaining('has ended on') },
    ])
  })

  it('reads settings from a file, and says what is wrong with them', async () => {
    const file = join(temporaryFolder(), 'wheelhouse.env')
    writeFileSync(file, 'PORT=99999\n')
    const { results, code } = await examine({ DATA_DIR: temporaryFolder() }, ['--env', file])
    expect(results).toMatchObject([{ check: 'settings', status: 'failed', text: expect.stringContaining('PORT is') }])
    expect(code).toBe(2)
    writeFileSync(file, 'PORT=99999\nBACKUP_DRI=/mnt/backup\n')
    const misspelled = await examine({ DATA_DIR: temporaryFolder() }, ['--env', file])
    expect(misspelled.results).toMatchObject([
      { check: 'settings', status: 'warning', text: 'BACKUP_DRI is no setting: did you mean BACKUP_DIR?' },
      { check: 'settings', status: 'failed' },
    ])
    const keyAlone = await examine({ DATA_DIR: temporaryFolder(), CLUSTER_KEY: randomBytes(32).toString('base64') })
    expect(keyAlone.results).toMatchObject([{ check: 'settings', advice: 'With this the server does not start.' }])
    const missing = await examine({}, ['--env', `${file}.none`])
    expect(missing.results).toMatchObject([{ status: 'failed', text: expect.stringContaining('ENOENT') }])
  })

  it('refuses words that it does not know with an exit code of its own', async () => {
    expect(await runCli(['doctor', 'x'])).toMatchObject({ code: 3, stderr: 'Unknown argument x: doctor takes none.\n' })
  })
})
