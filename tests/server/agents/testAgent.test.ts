import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { encodeDownloadHeader } from '../../../src/schemas/frames/file.ts'
import { type AgentMessages, encodeMessage } from '../../support/agent/agentMessages.ts'
import { type Doings, playScene } from '../../support/agent/playScene.ts'
import { readScene, sceneNames } from '../../support/agent/recordings.ts'
import { startSceneServer } from '../../support/agent/sceneServer.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

type PlayOptions = Omit<Parameters<typeof playScene>[1], 'server' | 'scene'>

/** Plays a scene to the test agent. */
async function play(name: string, options: PlayOptions = {}) {
  const scene = await startSceneServer(options.settings?.tls ? selfSigned : {})
  onTestFinished(() => scene.stop())
  const replaced = [...(options.replaced ?? []), ['127.0.0.1:9100', scene.address] as const]
  return playScene(name, { server: scene.address, scene, ...options, replaced })
}

async function listening(server: HttpServer | Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** The web server of the recorded probes: each path answers with its own status. */
function webTarget(): Promise<number> {
  return listening(
    createHttpServer((request, reply) => {
      const status = Number(request.url?.slice(1)) || 200
      reply.writeHead(status, { location: '/ok' }).end('hello\n')
    }),
  )
}

/** A target of a recorded tunnel: answers each part of a request with the bytes that were recorded. */
function tunnelTarget(name: string): Promise<number> {
  const frames = readScene(name)
    .events.filter(({ rpc, dir }) => rpc === 'IOStream' && dir === 'up')
    .map(({ hex = '' }) => Buffer.from(hex, 'hex'))
    .slice(1)
  return listening(
    createServer((socket) => {
      const answers = [...frames]
      socket.on('error', () => {})
      socket.on('data', () => {
        const answer = answers.shift()
        if (answer) socket.write(answer)
        if (answers[0]?.toString() === 'EOF') socket.end()
      })
    }),
  )
}

/** The folder /srv/demo of the recordings. */
function demoFolder(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'files/dir1'), { recursive: true })
  writeFileSync(join(folder, 'files/small.txt'), 'small file\n')
  writeFileSync(join(folder, 'files/empty'), '')
  return folder
}

/** What the recordings say of it, and what stands for that here: of folders, each file system tells its own sizes. */
function demoTexts(folder: string): [recorded: string, here: string][] {
  const header = (size: number) => Buffer.from(encodeDownloadHeader(size)).toString('latin1')
  const inJson = (size: number) => `\\"dir\\",\\"size\\":${size},`
  const size = statSync(join(folder, 'files/dir1')).size
  return [
    ['/srv/demo', folder],
    [header(4096), header(size)],
    [inJson(4096), inJson(size)],
  ]
}

/** The beginnings of the parts of big.bin, as they were recorded. */
function bigFile(): Buffer {
  const beginnings = readScene('file').events.filter(({ hex_head }) => hex_head !== undefined)
  return Buffer.concat(
    beginnings.map(({ length = 0, hex_head = '' }) => {
      const part = Buffer.alloc(length)
      Buffer.from(hex_head, 'hex').copy(part)
      return part
    }),
  )
}

const expectAsRecorded = ({ recorded, here }: { recorded: Doings; here: Doings }) => {
  expect(here.calls).toEqual(recorded.calls)
  expect(here.order).toEqual(recorded.order)
}

const recordedSettings = {
  debug: true,
  disable_auto_update: true,
  disable_force_update: true,
  report_delay: 1,
  custom_ip_api: ['http://localhost:7001/'],
  uuid: '11111111-1111-4111-8111-111111111111',
}

const frame = (hex = '') => Buffer.from(hex, 'hex')

describe('Every message that a real agent sent', () => {
  const messages = sceneNames
    .filter((name) => name !== 'simulated-notices')
    .flatMap((name) =>
      readScene(name).events.flatMap(({ type, msg, raw, hex }) =>
        type && raw !== undefined
          ? [{ name, type, raw, msg: type === 'IOStreamData' ? { data: frame(hex) } : msg }]
          : [],
      ),
    )
  it('is encoded to the same bytes', () => {
    expect(messages.length).toBeGreaterThan(500)
    for (const { name, type, msg, raw } of messages) {
      const bytes = encodeMessage(type, msg as AgentMessages[typeof type])
      expect(bytes.toString('base64'), `${name}: ${JSON.stringify(msg)}`).toBe(raw)
    }
  })
})

describe('The test agent does what the real one did when', () => {
  it.each(['start-first-contact', 'start-again', 'wrong-secret', 'old-agent-v1.14.4-start', 'old-agent-v1.9.7-start'])(
    'it starts: %s',
    async (name) => expectAsRecorded(await play(name)),
  )

  it('its settings are asked for, and changed', async () => {
    const { uuid, ...settings } = recordedSettings
    expectAsRecorded(await play('report-config', { settings, uuid }))
    expectAsRecorded(await play('apply-config', { settings }))
    // Six more orders have to arrive between the first that it takes and its connecting again.
    expectAsRecorded(await play('apply-config-refused', { settings, timeScale: 0.3 }))
    expectAsRecorded(await play('force-update', { settings }))
  })

  it('it gets a new secret over TLS', async () => {
    expectAsRecorded(await play('transfer-verified', { settings: { tls: true }, ca: selfSigned.cert }))
  })

  it('it runs commands', async () => {
    const folder = temporaryFolder()
    const replaced = [['/srv/demo', folder]] as const
    expectAsRecorded(await play('commands', { folder, replaced }))
  })

  it.each(['command-not-utf8', 'command-output-5mb'])('a command has output that it cannot send: %s', async (name) => {
    expectAsRecorded(await play(name))
  })

  it('it probes', async () => {
    const replaced = [
      ['127.0.0.1:7002', `127.0.0.1:${await webTarget()}`],
      ['localhost:7002', `localhost:${await webTarget()}`],
    ] as const
    const ping = async () => 0.243
    // The others need certificates, name servers or a network that drops packets.
    const without = [8, 9, 10, 11, 12, 13, 16, 17, 21, 22, 25, 26]
    expectAsRecorded(await play('probes', { replaced, ping, without }))
  })

  it.each(['terminal', 'terminal-browser-closes', 'terminal-idle-keepalive'])('it opens a shell: %s', async (name) => {
    const { recorded, here } = await play(name, { folder: temporaryFolder() })
    expect(shellText(here)).toEqual(shellText(recorded))
    expect(here.order).toEqual(recorded.order)
  })

  it('it serves files', async () => {
    const folder = demoFolder()
    writeFileSync(join(folder, 'files/big.bin'), bigFile())
    const home = temporaryFolder()
    mkdirSync(join(home, '.cache'))
    const replaced = [...demoTexts(folder), ['/root/', `${home}/`]] as const
    const { recorded, here } = await play('file', { folder, home, replaced })
    // The length of a path stands before it.
    const lengthless = (texts: string[]) => texts.map((text) => text.replace(/NZFN..../s, 'NZFN'))
    expect(lengthless(here.calls)).toEqual(lengthless(recorded.calls))
    expect(here.order).toEqual(recorded.order)
  })

  it.each(['nat-get', 'nat-chunked', 'nat-dead-target', 'nat-post-keepalive', 'nat-websocket'])(
    'it opens a tunnel: %s',
    async (name) => {
      const replaced = [['127.0.0.1:7002', `127.0.0.1:${await tunnelTarget(name)}`]] as const
      expectAsRecorded(await play(name, { replaced }))
    },
  )

  it('everything is switched off', async () => {
    const settings = {
      disable_command_execute: true,
      disable_nat: true,
      disable_send_query: true,
      disable_force_update: true,
    }
    expectAsRecorded(await play('disabled-features', { settings }))
  })

  it('tasks are odd', async () => {
    const replaced = [['127.0.0.1:7002', `127.0.0.1:${await tunnelTarget('nat-get')}`]] as const
    const { recorded, here } = await play('odd-tasks', { replaced, folder: temporaryFolder() })
    const shellless = (texts: string[]) => texts.filter((text) => !/^IOStream: frame (?!\xff)/.test(text))
    expect(shellless(here.calls)).toEqual(shellless(recorded.calls))
    expect(here.order).toEqual(recorded.order)
  })

  it('programs and files are asked for by message', async () => {
    const folder = demoFolder()
    writeFileSync(join(folder, 'files/big.bin'), bigFile())
    writeFileSync(join(folder, 'files/up.txt'), 'hello world')
    writeFileSync(join(folder, 'files/zero'), '')
    const { recorded, here } = await play('exec-and-fs-rpc', { folder, replaced: demoTexts(folder) })
    // Folders are listed unsorted, and of a change and a deletion at the same time any is first.
    const comparable = (texts: string[]) =>
      texts
        .map((text) => (text.includes('entries') ? [...text].sort().join('') : text))
        .filter((text) => !text.includes('if_match') && !text.includes('deleted_count'))
    expect(comparable(here.calls)).toEqual(comparable(recorded.calls))
  })

  it('files are transferred with their hash', async () => {
    const folder = demoFolder()
    expectAsRecorded(await play('fs-transfer', { folder, replaced: demoTexts(folder) }))
  })

  it.each([
    ['old-agent-v1.14.4-tasks', [30, 32]],
    ['old-agent-v1.9.7-tasks', [35, 37]],
  ] as const)('it is old: %s', async (name, without) => {
    const folder = demoFolder()
    writeFileSync(join(folder, 'files/big.bin'), bigFile())
    writeFileSync(join(folder, 'files/up.txt'), 'hello world')
    writeFileSync(join(folder, 'files/zero'), '')
    const replaced = [...demoTexts(folder), ['127.0.0.1:7002', `127.0.0.1:${await webTarget()}`]] as const
    const settings = {
      ...recordedSettings,
      uuid: '88888888-8888-4888-8888-888888888888',
      custom_ip_api: ['http://127.0.0.1:7001/'],
    }
    const { recorded, here } = await play(name, { folder, replaced, without, settings })
    const comparable = (texts: string[]) =>
      texts
        .map((text) => text.replace(/NZFN..../s, 'NZFN'))
        .filter((text) => !/frame (?!NZ|\xff|read)/.test(text) || text.includes('small file'))
    expect(comparable(here.calls)).toEqual(comparable(recorded.calls))
    expect(here.order).toEqual(recorded.order)
  })
})

/** What a shell printed, without prompts and the frames in which it came. */
function shellText({ calls }: Doings): { before: string[]; printed: string[]; ending: string[] } {
  const isFrame = (text: string) => text.startsWith('IOStream: frame')
  const own = calls.filter((text) => text.startsWith('IOStream'))
  const output = own
    .slice(2)
    .filter((text) => isFrame(text) && !text.includes('frame of'))
    .map((text) => text.slice('IOStream: frame '.length))
    .join('')
  const printed = stripVTControlCharacters(output)
    .replace(/\r/g, '')
    .replace(/[^\n]*?[#$] /g, '')
    // The recordings hold only the beginning of long output.
    .replace(/^(seq 1 3000.*|\d+)\n/gm, '')
  // What is typed before a shell is ready shows twice and too early, or leaves an empty line.
  const lines = [...new Set(printed.split('\n'))].filter((line) => line !== '').sort()
  return { before: own.slice(0, 2), printed: lines, ending: own.slice(-3).filter((text) => text.includes(': agent')) }
}
