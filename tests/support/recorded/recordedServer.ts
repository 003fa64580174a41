import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { createCalls } from './calls.ts'
import { serveConsole } from './consoleFolder.ts'
import { type Dialect, recordedOf } from './dialects.ts'
import { createSessions } from './session.ts'
import { playFiles, playServers, playTerminal, type Upload } from './sockets.ts'
import { createState, type State } from './state.ts'

export interface RecordedServer {
  dialect: Dialect
  /** `http://127.0.0.1:<port>` */
  address: string
  state: State
  /** Every call of the API so far, as `GET cron/1/manual`. */
  calls: readonly string[]
  /** What was asked that no recording knows. A test that leaves something here has failed. */
  unknown: readonly string[]
  uploads: readonly Upload[]
  close(): Promise<void>
}

const api = '/api/v1/'

/**
 * A server of another version, made of what was recorded there: replies by method and path, lists that keep what is
 * written to them, and the sockets of the current build, which are the same in all of them. It serves `dist/` as such
 * servers do.
 */
export async function startRecordedServer(dialect: Dialect): Promise<RecordedServer> {
  const recorded = recordedOf(dialect)
  const state = createState(dialect, recorded)
  const sessions = createSessions(dialect)
  const calls: string[] = []
  const unknown: string[] = []
  const uploads: Upload[] = []
  const note = (what: string) => void unknown.push(what)
  const answer = createCalls(recorded, state, sessions, note)

  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    if (!url.startsWith(api)) {
      const { status, type, bytes } = serveConsole(url.replace(/[?#].*$/, ''))
      return response.writeHead(status, { 'content-type': type }).end(method === 'HEAD' ? undefined : bytes)
    }
    calls.push(`${method} ${url.slice(api.length)}`)
    const { status, body, cookies = [] } = answer({ method, path: url, headers, body: await readJson(request) })
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    })
    response.end(JSON.stringify(body))
  })

  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, stream, head) => {
    const [, kind = ''] = /^\/api\/v1\/ws\/(\w+)/.exec(request.url ?? '') ?? []
    const players: Record<string, Parameters<typeof sockets.handleUpgrade>[3]> = {
      server: playServers,
      terminal: (socket) => playTerminal(socket, note),
      file: (socket) => playFiles(socket, note, (upload) => void uploads.push(upload)),
    }
    const player = players[kind]
    if (!player) note(`a socket to ${request.url}`)
    // A refusal is a plain reply: the browser only learns that it was one.
    if (!player || (kind !== 'server' && !sessions.isSignedIn(request.headers))) {
      stream.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"error":"ApiErrorUnauthorized"}')
      return
    }
    sockets.handleUpgrade(request, stream, head, player)
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    dialect,
    address: `http://127.0.0.1:${port}`,
    state,
    calls,
    unknown,
    uploads,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? undefined : JSON.parse(text)
}
