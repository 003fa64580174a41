import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { registerErrorHandler } from '../../../server/http/errorReplies.ts'
import { route } from '../../../server/http/routes/route.ts'
import { endpoint } from '../../../src/schemas/define/endpoint.ts'
import { root } from '../../support/root.ts'

/** Seconds of the processor, after which a program that does not come to its end is ended. */
const processorSeconds = 5

it('a connection of HTTP/2 that is lost before its replies were sent holds nobody up', () => {
  const program = join(root, 'tests/support/server/process/resetAfterReplies.ts')
  // In a process of its own: the loop is below JavaScript, and fills the memory.
  const { stdout } = spawnSync('sh', ['-c', `ulimit -t ${processorSeconds}; exec "$0" "$1"`, process.execPath, program])
  expect(String(stdout)).toBe('alive\n')
})

it.each(['HTTP/1.1', 'HTTP/2'])(
  'a reader of %s who leaves in the middle of a reply is no failure in the log',
  async (version) => {
    const app = (version === 'HTTP/2' ? fastify({ http2: true }) : fastify()) as unknown as FastifyInstance
    onTestFinished(() => app.close())
    const logged: unknown[] = []
    registerErrorHandler(app, { error: (...line) => logged.push(line) })
    app.decorate('guard', () => async () => {})
    // As all hooks of the server together: the reply has not ended when the handler has given it.
    app.addHook('onSend', async (_request, _reply, payload) => payload)
    const left = Promise.withResolvers<void>()
    const list = endpoint('GET', 'list', { access: 'anyone' })
    route(app, 'list', list, async (_request, reply) => {
      reply.raw.once('close', () => left.resolve())
      const unended = new Readable({ read() {} })
      unended.push('{"success":true,"data":[')
      await reply.type('application/json').send(unended)
    })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const reader = version === 'HTTP/2' ? connectHttp2(origin) : connect(port, '127.0.0.1')
    const reply = 'request' in reader ? reader.request({ ':path': '/api/v1/list' }) : reader
    if (!('request' in reader)) reader.write('GET /api/v1/list HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    await once(reply, 'data')
    reader.destroy()
    await left.promise
    // What follows from it needs no more than promises.
    await nextTurn()
    expect(logged).toEqual([])
  },
)
