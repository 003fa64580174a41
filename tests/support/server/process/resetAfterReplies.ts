import { createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createHttp2Requests } from '../../../../server/http/http2Requests.ts'
import { sniffStart } from '../../../../server/http/sniffStart.ts'
import { clientStart, flags, frame, frameTypes, headerBlock } from '../../agent/http2Frames.ts'

/*
 * A program: over one connection of HTTP/2 a request is refused and another one is being answered, and the connection is
 * lost before anything of both has been sent. Prints `alive` when it can do something else after it.
 */
let accepted: Socket | undefined
const http2 = createHttp2Server()
http2.on('session', (session) => session.on('error', () => {}))
http2.on(
  'stream',
  createHttp2Requests({
    limits: {
      enter(_address, { onPlace }) {
        onPlace()
        return () => {}
      },
      isCrowded: () => false,
      count: () => 0,
      release() {},
    },
    handle(_request, response) {
      response.write('the beginning of a reply')
      accepted?.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
    },
  }),
)
const server = createServer((socket) => {
  accepted = socket
  sniffStart(socket, { expected: ['PRI'], timeoutMs: 60_000 }, () => http2.emit('connection', socket))
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))

const headers = { ':method': 'GET', ':scheme': 'http', ':path': '/', ':authority': 'a' }
const request = (stream: number, head: Record<string, string>) =>
  frame(frameTypes.headers, flags.endHeaders | flags.endStream, stream, headerBlock(head))
const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
client.on('error', () => {}).resume()
client.write(Buffer.concat([clientStart, request(1, { ...headers, host: 'b' }), request(3, headers)]))
client.once('close', () =>
  setImmediate(() => {
    console.info('alive')
    process.exit(0)
  }),
)
