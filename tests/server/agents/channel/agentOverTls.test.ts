import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Row } from '../../../../server/entities/entityTable.ts'
import type { HostFiles } from '../../../../server/machines/hosts/files.ts'
import { testAgentServer } from '../../../support/agent/testAgentServer.ts'
import { certificateFiles } from '../../../support/server/certificates/certificateFiles.ts'
import { selfSigned } from '../../../support/server/certificates/selfSigned.ts'
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'

/** An agent that verifies the certificate of the server. */
async function fixture() {
  const server = await testAgentServer(undefined, certificateFiles())
  const folder = temporaryFolder()
  const agent = await server.agent({ ca: selfSigned.cert, settings: { tls: true }, folder, home: folder })
  const row = () => server.rowOf(agent) as Row
  return { ...server, agent, folder, row, host: () => server.app.machines.connected(row()) }
}

describe('an agent over TLS that it verifies', () => {
  it('takes a secret of its own when its server is moved, comes back with it, and the move is done', async () => {
    const server = await fixture()
    const before = server.agent.settings.client_secret
    const admin = await server.admin()
    const { body } = await admin.call('POST', 'batch-move/server', { body: { ids: [server.row().id], to_user: 2 } })
    expect(body).toMatchObject({ data: [{ server_id: server.row().id, status: 'pending' }] })
    await expect.poll(async () => (await admin.get('transfer')).body).toMatchObject({ data: [{ status: 1 }] })
    expect(server.agent.settings.client_secret).toMatch(/^[0-9A-Za-z]{32}$/)
    expect(server.agent.settings.client_secret).not.toBe(before)
    expect(server.row().user_id).toBe(2)
    await expect.poll(() => server.isConnected(server.agent)).toBe(true)
    expect(server.agent.connections).toBe(2)
    // It came back into the same row, and the new owner sees it.
    const member = await server.member()
    expect((await member.get('server')).body).toMatchObject({
      data: [{ id: server.row().id, uuid: server.agent.uuid }],
    })
  })

  it('opens a shell, and sends a file whole', async () => {
    const server = await fixture()
    const shell = await server.host()?.openShell({ rows: 24, cols: 80 })
    onTestFinished(async () => shell?.kill())
    let output = ''
    shell?.onData((bytes) => {
      output += Buffer.from(bytes).toString()
    })
    shell?.write(Buffer.from('echo $((6 * 7))-over-tls\n'))
    await expect.poll(() => output).toContain('42-over-tls')

    const content = Buffer.alloc(3_000_000, 'wheelhouse ')
    const large = join(server.folder, 'large')
    writeFileSync(large, content)
    const files = server.host()?.files as HostFiles
    const source = await files.open(Buffer.from(large))
    const downloaded = Buffer.alloc(source.size)
    await source.read(downloaded)
    await source.close()
    expect(downloaded.equals(content)).toBe(true)

    const sink = await files.beginUpload(Buffer.from(`${large}-copy`), content.length)
    await sink.write([content])
    await sink.finish()
    expect(readFileSync(`${large}-copy`).equals(content)).toBe(true)
  })
})
