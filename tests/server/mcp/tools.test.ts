import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectLessProcessorTime } from '../../support/processorTime.ts'
import { addHost, mcpFailure, mcpMachines, mcpPrograms } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe.each(['this machine', 'a machine with an agent'] as const)('on %s', (where) => {
  async function fixture() {
    const server = await mcpMachines()
    const isAgent = where !== 'this machine'
    const server_id = isAgent ? (server.rowOf(await server.agent())?.id as number) : server.idOfHost
    const { tool, value } = mcpPrograms(server)
    const folder = temporaryFolder()
    return {
      server,
      folder,
      isAgent,
      server_id,
      path: (name: string) => join(folder, name),
      tool: (name: string, args: object) => tool(name, { server_id, ...args }),
      value: (name: string, args: object) => value(name, { server_id, ...args }),
    }
  }

  it('a program runs without a shell; its exit code is no error', async () => {
    const { value, tool, folder } = await fixture()
    const script = 'echo out; echo err >&2; cat; pwd; echo "$COLOR"; exit 3'
    const result = await value('server.exec', {
      cmd: 'sh',
      args: ['-c', script],
      cwd: folder,
      env: { COLOR: 'blue' },
      stdin: 'typed\n',
    })
    expect(result).toEqual({
      exit_code: 3,
      stdout: `out\ntyped\n${folder}\nblue\n`,
      stderr: 'err\n',
      duration_ms: expect.any(Number),
    })
    expect(await tool('server.exec', { cmd: 'no-such-program-here' })).toMatchObject({
      content: [{ text: 'agent_error: executable file not found' }],
      structuredContent: { exit_code: -1, error: 'executable file not found' },
      isError: true,
    })
    expect(await tool('server.exec', {})).toEqual(mcpFailure('cmd required'))
    for (const timeout_seconds of [301, -1]) {
      expect(await tool('server.exec', { cmd: 'true', timeout_seconds })).toEqual(
        mcpFailure('timeout_seconds out of range; must be 1..300'),
      )
    }
    expect(await value('server.exec', { cmd: 'true', timeout_seconds: 0 })).toMatchObject({ exit_code: 0 })
  })

  it('a program is killed at its time, and its output is cut', async () => {
    const { value } = await fixture()
    expect(await value('server.exec', { cmd: 'sleep', args: ['60'], timeout_seconds: 1 })).toMatchObject({
      exit_code: -1,
      timed_out: true,
    })
    const much = await value('server.exec', { cmd: 'sh', args: ['-c', 'yes | head -c 100000'] })
    expect(much).toMatchObject({ exit_code: 0, stdout_truncated: true })
    expect(String(much.stdout)).toHaveLength(65_536)
    const little = await value('server.exec', { cmd: 'echo', args: ['hello'], max_output_bytes: 2 })
    expect(little).toMatchObject({ stdout: 'he', stdout_truncated: true })
  })

  it('a folder is listed', async () => {
    const { value, tool, folder, path } = await fixture()
    writeFileSync(path('a.txt'), 'four')
    writeFileSync(path('.hidden'), '')
    mkdirSync(path('sub'))
    symlinkSync('a.txt', path('link'))
    const names = async (args: object) =>
      ((await value('fs.list', { path: folder, ...args })).entries as { name: string }[]).map(({ name }) => name).sort()
    expect(await names({})).toEqual(['a.txt', 'link', 'sub'])
    expect(await names({ show_hidden: true })).toEqual(['.hidden', 'a.txt', 'link', 'sub'])
    const { entries } = (await value('fs.list', { path: folder })) as { entries: { name: string }[] }
    expect(entries.find(({ name }) => name === 'a.txt')).toMatchObject({
      type: 'file',
      size: 4,
      mode: expect.any(String),
    })
    expect(entries.find(({ name }) => name === 'link')).toMatchObject({ type: 'symlink' })
    expect(entries.find(({ name }) => name === 'sub')).toMatchObject({ type: 'dir' })
    expect(await tool('fs.list', { path: path('none') })).toEqual(mcpFailure('file or directory does not exist'))
    expect(await tool('fs.list', { path: '' })).toEqual(mcpFailure('path required'))
  })

  it('a file is written, read in parts and deleted', async () => {
    const { value, tool, path } = await fixture()
    const file = path('note.txt')
    expect(await value('fs.write', { path: file, content: 'hello' })).toEqual({ size: 5, sha256: sha256('hello') })
    expect(await value('fs.read', { path: file, offset: 2, length: 2 })).toEqual({
      content: 'll',
      encoding: 'utf8',
      size: 2,
      sha256: sha256('ll'),
      truncated: true,
    })
    expect(await value('fs.read', { path: file, encoding: 'base64' })).toMatchObject({ content: 'aGVsbG8=' })
    expect(await value('fs.read', { path: file, offset: 9 })).toMatchObject({ content: '', size: 0 })
    expect(await tool('fs.read', { path: file, encoding: 'x' })).toEqual(mcpFailure('unknown encoding: x'))
    const changed = { path: file, content: 'd29ybGQ=', encoding: 'base64', if_match_sha256: sha256('hello') }
    expect(await value('fs.write', changed)).toEqual({ size: 5, sha256: sha256('world') })
    const late = await tool('fs.write', changed)
    expect(late.content[0].text).toMatch(/^if_match precondition failed: /)
    expect(readFileSync(file, 'utf8')).toBe('world')
    const deep = path('new/folder/file')
    expect(await tool('fs.write', { path: deep, content: 'x' })).toEqual(mcpFailure('file or directory does not exist'))
    await value('fs.write', { path: deep, content: '', create_dirs: true, mode: '0640' })
    expect(lstatSync(deep).mode & 0o777).toBe(0o640)
    expect(await value('fs.delete', { path: file })).toEqual({ deleted_count: 1 })
    expect(existsSync(file)).toBe(false)
    expect(await tool('fs.delete', { path: file })).toEqual(mcpFailure('file or directory does not exist'))
    await value('fs.delete', { path: path('new'), recursive: true })
    expect(existsSync(path('new'))).toBe(false)
  })

  it('nothing happens where commands are switched off', async () => {
    const { server, tool, path, isAgent } = await fixture()
    if (isAgent) {
      const agent = await server.agent({ settings: { disable_command_execute: true } })
      const id = server.rowOf(agent)?.id as number
      const call = (name: string, args: object) => tool(name, { ...args, server_id: id })
      expect((await call('server.exec', { cmd: 'true' })).content[0].text).toBe(
        'agent_error: agent disabled command execution',
      )
      expect(await call('fs.read', { path: path('x') })).toEqual(mcpFailure('agent disabled file operations'))
      return
    }
    server.host.canRunCommands = () => false
    expect(await tool('server.exec', { cmd: 'true' })).toMatchObject({
      content: [{ text: 'agent_error: agent disabled command execution' }],
      structuredContent: { error: 'agent disabled command execution' },
    })
    expect(await tool('fs.write', { path: path('x'), content: '' })).toEqual(
      mcpFailure('agent disabled file operations'),
    )
    expect(existsSync(path('x'))).toBe(false)
  })
})

describe('on this machine', () => {
  async function fixture() {
    const server = await mcpMachines()
    const { tool, value } = mcpPrograms(server)
    const folder = temporaryFolder()
    const server_id = server.idOfHost
    return {
      path: (name: string) => join(folder, name),
      tool: (name: string, args: object) => tool(name, { server_id, ...args }),
      value: (name: string, args: object) => value(name, { server_id, ...args }),
    }
  }

  it('what is refused is named', async () => {
    const { tool, value, path } = await fixture()
    writeFileSync(path('file'), 'x')
    mkdirSync(path('full'))
    writeFileSync(path('full/file'), '')
    const reasons: [name: string, args: object, reason: string][] = [
      ['fs.list', { path: 'relative' }, 'path must be absolute'],
      ['fs.list', { path: path('file') }, 'path is not a directory'],
      ['fs.read', { path: path('full') }, 'path is not a regular file'],
      ['fs.read', { path: path('file'), offset: -1 }, 'offset must be >= 0'],
      ['fs.read', { path: path('file'), length: -1 }, 'length must be >= 0'],
      ['fs.write', { path: path('file'), content: '', mode: 'rw' }, 'invalid mode: rw'],
      ['fs.write', { path: path('file'), content: '*', encoding: 'base64' }, 'invalid base64: illegal base64 data'],
      ['fs.write', { path: path('file'), content: '', if_match_sha256: 'x' }, 'if_match_sha256 must be 64 hex chars'],
      ['fs.delete', { path: '/' }, 'refusing to delete root'],
      ['server.exec', { cmd: 'true', cwd: path('none') }, 'agent_error: command or working directory not found'],
    ]
    for (const [name, args, reason] of reasons) expect((await tool(name, args)).content[0].text, reason).toBe(reason)
    expect((await tool('fs.delete', { path: path('full') })).isError).toBe(true)
    expect(existsSync(path('full/file'))).toBe(true)
    expect(await value('fs.delete', { path: path('full'), recursive: true })).toEqual({ deleted_count: 2 })
    symlinkSync(path('file'), path('link'))
    expect(await value('fs.delete', { path: path('link') })).toEqual({ deleted_count: 1 })
    expect(readFileSync(path('file'), 'utf8')).toBe('x')
  })

  it('a content of blanks holds nobody up', async () => {
    const { tool, path } = await fixture()
    const content = `${' '.repeat(200_000)}*`
    await expectLessProcessorTime(1500, async () => {
      const refused = await tool('fs.write', { path: path('file'), content, encoding: 'base64' })
      expect(refused.content[0].text).toBe('invalid base64: illegal base64 data')
    })
  })

  it('what a program leaves running ends with it', async () => {
    const { value } = await fixture()
    const { stdout } = await value('server.exec', { cmd: 'sh', args: ['-c', 'sleep 300 & echo $!'] })
    const isRunning = () => {
      try {
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${Number(stdout)}/status`, 'utf8'))
      } catch {
        return false
      }
    }
    await expect.poll(isRunning).toBe(false)
  })
})

describe('an agent', () => {
  it('that is too old for it is named', async () => {
    const server = await mcpMachines()
    const old = await server.agent({ version: '1.14.4' })
    const { tool } = mcpPrograms(server)
    expect(await tool('server.exec', { server_id: server.rowOf(old)?.id, cmd: 'true' })).toEqual(
      mcpFailure('agent does not support this MCP capability; please upgrade the agent'),
    )
  })
})

describe('the audit log', () => {
  it('has each call with its token and its outcome, and neither arguments nor contents', async () => {
    const server = await mcpMachines()
    addHost(server, { uuid: 'machine-2', name: 'second' })
    const { tool } = mcpPrograms(server, { name: 'robot', scopes: ['nezha:server:*'] })
    const folder = temporaryFolder()
    const server_id = server.idOfHost
    await tool('server.exec', { server_id, cmd: 'echo', args: ['secret-argument'], stdin: 'secret-input' })
    await tool('fs.write', { server_id, path: join(folder, 'f'), content: 'secret-content' })
    await tool('fs.read', { server_id, path: join(folder, 'none') })
    await tool('server.list')
    const { rows } = await server.app.audit.read(0, 100)
    const lines = rows.filter(({ action }) => action?.startsWith('mcp.')).reverse()
    expect(lines).toMatchObject([
      {
        action: 'mcp.server.exec',
        username: 'admin',
        address: '127.0.0.1',
        target: `server ${server_id}`,
        detail: { program: 'echo', exit_code: 0, outcome: 'ok', token: expect.stringContaining('robot') },
      },
      { action: 'mcp.fs.write', target: `server ${server_id}`, detail: { path: join(folder, 'f'), outcome: 'ok' } },
      { action: 'mcp.fs.read', detail: { outcome: 'agent_error', error: 'file or directory does not exist' } },
      { action: 'mcp.server.list', detail: { outcome: 'scope_denied' } },
    ])
    expect(JSON.stringify(rows)).not.toContain('secret-')
  })
})
