import { describe, expect, it } from 'vitest'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { closedPort } from '../../support/fakes/rawServer.ts'
import { sendRequest, startNatServer, startService } from '../../support/server/natServer.ts'

describe('an error page', () => {
  it('is shown when the service is not running', async () => {
    const { port } = await startNatServer({ target: await closedPort() })
    const reply = await sendRequest(port)
    expect(reply).toMatchObject({ status: 502, text: expect.stringContaining('is not running') })
    expect(reply.text).not.toContain('127.0.0.1')
    expect((await sendRequest(port, { method: 'HEAD' })).text).toBe('')
  })

  it('is shown when the server is not connected', async () => {
    const { port: target } = await startService()
    const { port, host } = await startNatServer({ target })
    host.report({ at: new Date(0) })
    expect(await sendRequest(port)).toMatchObject({ status: 502, text: expect.stringContaining('not connected') })
  })

  it.each([
    ['169.254.169.254:80', 'not allowed'],
    ['[::ffff:169.254.169.254]:80', 'not allowed'],
    ['nowhere.invalid:80', 'no such host'],
    ['not a target', 'must be a host and a port'],
    ['127.0.0.1:0', 'must be a host and a port'],
  ])('is shown for the target %s', async (target, words) => {
    const { port } = await startNatServer({ target })
    expect(await sendRequest(port)).toMatchObject({ status: 502, text: expect.stringContaining(words) })
  })

  it('is shown for a machine whose settings disable NAT', async () => {
    const { port: target } = await startService()
    const configStore = { read: () => '{"disable_nat":true}', write: () => {} }
    const { connect: connectThere } = createLocalHost({ uuid: 'u', version: '1', configStore })
    const { port, host } = await startNatServer({ target })
    host.connect = connectThere
    expect(await sendRequest(port)).toMatchObject({ status: 502, text: expect.stringContaining('does not forward') })
  })

  it('is shown when the connection to the service takes too long', async () => {
    const { port, host } = await startNatServer({ target: 1, nat: { times: { connectMs: 50 } } })
    host.connect = (_target, signal) =>
      new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    expect(await sendRequest(port)).toMatchObject({
      status: 504,
      text: expect.stringContaining('does not answer in time'),
    })
  })

  it('is shown when the service does not reply in time', async () => {
    const { port: target } = await startService(() => {})
    const { port } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20, replyMs: 100 } } })
    expect(await sendRequest(port)).toMatchObject({
      status: 504,
      text: expect.stringContaining('does not answer in time'),
    })
  })

  it('is shown when the service closes the connection before it replies', async () => {
    const { port: target } = await startService((request) => void request.socket.destroy())
    const { port } = await startNatServer({ target })
    expect(await sendRequest(port)).toMatchObject({
      status: 502,
      text: expect.stringContaining('broke the connection off'),
    })
  })

  it('is shown when a name leads back to this server', async () => {
    const { port, profiles } = await startNatServer({ target: 1 })
    profiles.update(1, { host: `127.0.0.1:${port}` })
    expect(await sendRequest(port)).toMatchObject({ status: 508 })
  })

  it('is shown when there are too many open requests', async () => {
    const held: (() => void)[] = []
    const { port: target } = await startService((_request, reply) => void held.push(() => reply.end('late')))
    const { port } = await startNatServer({ target, nat: { limits: { perProfile: 2 } } })
    const early = [sendRequest(port), sendRequest(port)]
    await expect.poll(() => held.length).toBe(2)
    expect(await sendRequest(port)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    for (const finish of held.splice(0)) finish()
    expect((await Promise.all(early)).map(({ text }) => text)).toEqual(['late', 'late'])
    const next = sendRequest(port)
    await expect.poll(() => held.length).toBe(1)
    held[0]?.()
    expect((await next).text).toBe('late')
  })
})
