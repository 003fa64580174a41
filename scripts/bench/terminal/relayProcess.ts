import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/**
 * Stands in front of the embedded server and behaves as recorded Nezha servers do (docs/contract/CONTRACT.md#10-websockets):
 * announces no extensions, passes on message by message between the browser and the machine, and takes much more output
 * from a shell than the browser has read. Says its address to the parent process.
 */
const target = process.argv[2] as string

/** Bytes that wait for the browser before the machine has to. Real servers were seen with up to 143 MB of a terminal. */
const waitingLimits = { terminal: 128 * 2 ** 20, file: 4 * 2 ** 20 }

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer((asked, answer) => {
  const isSetting = asked.url === '/api/v1/setting' && asked.method === 'GET'
  // A reply that is read must not be compressed.
  const headers = isSetting ? { ...asked.headers, 'accept-encoding': 'identity' } : asked.headers
  const passed = request(target + asked.url, { method: asked.method, headers }, (reply) => {
    if (isSetting) return void answerWithoutExtensions(reply)
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  asked.pipe(passed)

  async function answerWithoutExtensions(reply: IncomingMessage): Promise<void> {
    let text = ''
    for await (const chunk of reply) text += chunk
    const body = JSON.parse(text)
    if (body.data) delete body.data.wheelhouse
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = reply.headers
    answer.writeHead(reply.statusCode ?? 502, headers).end(JSON.stringify(body))
  }
})
server.on('upgrade', (asked, stream, head) => {
  const { cookie, origin, host } = asked.headers
  const machine = new WebSocket(target.replace('http', 'ws') + asked.url, {
    headers: { ...(cookie && { cookie }), ...(origin && { origin }), ...(host && { host }) },
    perMessageDeflate: false,
    skipUTF8Validation: true,
  })
  machine.on('error', () => stream.destroy())
  machine.once('open', () =>
    sockets.handleUpgrade(asked, stream, head, (browser) => {
      const limit = asked.url?.includes('/ws/terminal/') ? waitingLimits.terminal : waitingLimits.file
      pass(machine, browser, limit)
      pass(browser, machine, waitingLimits.file)
    }),
  )
})

function pass(from: WebSocket, to: WebSocket, limit: number): void {
  from.on('message', (data: Buffer, isBinary) => {
    to.send(data, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount < limit / 2) from.resume()
    })
    if (to.bufferedAmount > limit) from.pause()
  })
  from.on('close', () => to.terminate())
  from.on('error', () => to.terminate())
}

process.once('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  process.send?.({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
