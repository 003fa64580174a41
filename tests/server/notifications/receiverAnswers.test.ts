import { describe, expect, it } from 'vitest'
import { refusalInBody } from '../../../server/notifications/notifierRequest.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { logged, notifierFixture } from '../../support/server/fixtures/notifierFixture.ts'

const body = '{"text":"#NEZHA#"}'
const post = { request_method: 2, request_body: body }

describe('a receiver that answers 200, and says in its JSON that it has not taken the message', () => {
  it('has not got it: it is tried again, and the log shows what it said', async () => {
    const said = '{"errcode":93000,"errmsg":"invalid webhook url"}'
    const { origin, deliveries } = await receiver((reply) => reply.end(said))
    const fixture = await notifierFixture([{ ...post, url: origin }])
    fixture.notifications.send({ groupId: 1, message: 'web-1 is down' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 2, code: 200, tries: 3, reply: said }])
    expect(deliveries).toHaveLength(3)
  })

  it('is waited for when it is called too often', async () => {
    let calls = 0
    const { origin } = await receiver((reply) =>
      reply.end(++calls < 5 ? '{"errcode":130101,"errmsg":"send too fast"}' : '{"errcode":0,"errmsg":"ok"}'),
    )
    const fixture = await notifierFixture([{ ...post, url: origin }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 5 }])
    expect(fixture.pauses).toEqual([5000, 10_000, 20_000, 40_000])
  })

  it('is shown to who saves the notifier', async () => {
    const { origin } = await receiver((reply) => reply.end('{"ok":false,"error":"channel_not_found"}'))
    const { call } = await notifierFixture([])
    const form = { ...post, name: 'Slack', url: origin, request_type: 1, verify_tls: true }
    expect((await call('POST', 'notification', form)).body).toEqual({
      error: '200@{"ok":false,"error":"channel_not_found"}',
    })
  })

  it.each([
    ['https://qyapi.weixin.qq.com/cgi-bin/webhook/send', '{"errcode":0,"errmsg":"ok"}'],
    ['https://open.feishu.cn/open-apis/bot/v2/hook/x', '{"StatusCode":0,"code":0,"msg":"success"}'],
    ['https://www.pushplus.plus/send', '{"code":200,"msg":"ok"}'],
    ['https://push.example.org/', '{"code":1,"message":"queued"}'],
    ['https://bot.example.org/send_msg', '{"status":"async","retcode":1}'],
    ['https://hooks.slack.com/services/x', 'ok'],
    ['https://hooks.example.org/', '{"success":true'],
    ['https://hooks.example.org/', '[false]'],
    ['https://hooks.example.org/', ''],
  ])('is none of these: %s with %s', (url, answer) => {
    expect(refusalInBody(url, answer)).toBeUndefined()
  })

  it.each([
    ['https://open.feishu.cn/open-apis/bot/v2/hook/x', '{"code":19001,"msg":"param invalid"}', false],
    ['https://open.feishu.cn/open-apis/bot/v2/hook/x', '{"code":11232,"msg":"frequency limited"}', true],
    ['https://sctapi.ftqq.com/x.send', '{"code":40001,"message":"bad pushtoken"}', false],
    ['https://api.telegram.org/botx/sendMessage', '{"ok":false,"error_code":400}', false],
    ['https://bot.example.org/send_msg', '{"status":"failed","retcode":100}', false],
    ['https://hooks.example.org/', ' {"success":false}', false],
  ])('is this one: %s with %s', (url, answer, isThrottled) => {
    expect(refusalInBody(url, answer)).toEqual({ isThrottled })
  })
})

describe('a receiver that has moved', () => {
  it.each([301, 307, 308])('gets the message after %i, at whatever address', async (status) => {
    const there = await receiver()
    const here = await receiver((reply) => reply.writeHead(status, { location: `${there.origin}/new` }).end())
    const fixture = await notifierFixture([{ ...post, url: `${here.origin}/hook` }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 1 }])
    expect(there.deliveries).toMatchObject([{ method: 'POST', url: '/new', body: '{"text":"x"}' }])
  })

  it('gets the message after 302 to the same path, as where a proxy leads to TLS', async () => {
    const there = await receiver(undefined, { isTls: true })
    const here = await receiver((reply) => reply.writeHead(302, { location: `${there.origin}/hook/?a=1` }).end())
    const fixture = await notifierFixture([{ ...post, url: `${here.origin}/hook?a=1`, verify_tls: false }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1 }])
    expect(there.deliveries).toMatchObject([{ method: 'POST', body: '{"text":"x"}' }])
  })

  it('without TLS does not get what was sent with it', async () => {
    const there = await receiver()
    const here = await receiver((reply) => reply.writeHead(301, { location: `${there.origin}/hook` }).end(), {
      isTls: true,
    })
    const fixture = await notifierFixture([{ ...post, url: `${here.origin}/hook`, verify_tls: false }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    await logged(fixture, 1)
    expect(there.deliveries).toMatchObject([{ method: 'GET', body: '' }])
  })
})

describe('a receiver that leads back to its own address, as forms do once they have taken something', () => {
  it.each([301, 302, 303])('has got the message, and gets it once: %i', async (status) => {
    const { origin, deliveries } = await receiver((reply, { method }) =>
      method === 'POST'
        ? reply.writeHead(status, { location: '/hook?a=1#sent', 'set-cookie': 'flash=sent' }).end()
        : reply.writeHead(200, { 'content-type': 'text/html' }).end('<p>Thank you</p>'),
    )
    const fixture = await notifierFixture([{ ...post, url: `${origin}/hook?a=1` }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 1 }])
    expect(deliveries.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })
})

describe('a receiver that leads on with 302', () => {
  it('to the page of a sign-in has not got the message, and the log says what to do', async () => {
    const { origin } = await receiver((reply, { url }) =>
      url === '/login'
        ? reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<form>')
        : reply.writeHead(302, { location: '/login' }).end(),
    )
    const fixture = await notifierFixture([{ ...post, url: `${origin}/hook` }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    const [entry] = await logged(fixture, 1)
    // It may have been taken all the same, and would be again with each try.
    expect(entry).toMatchObject({ state: 2, tries: 1, reply: expect.stringContaining('it leads to a web page of ') })
    expect(entry).toMatchObject({ reply: expect.stringContaining('enter the address that takes it') })
  })

  it('by way of a sign-in back to its own address has not got the message', async () => {
    const { origin } = await receiver((reply, { url, method }) =>
      url === '/login' || method === 'POST'
        ? reply.writeHead(302, { location: url === '/login' ? '/hook' : '/login' }).end()
        : reply.writeHead(200, { 'content-type': 'text/html' }).end('<form>'),
    )
    const fixture = await notifierFixture([{ ...post, url: `${origin}/hook` }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 2, tries: 1 }])
  })

  it('to what its script has answered has got it', async () => {
    const { origin } = await receiver((reply, { url }) =>
      url === '/echo'
        ? reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
        : reply.writeHead(302, { location: '/echo' }).end(),
    )
    const fixture = await notifierFixture([{ ...post, url: `${origin}/exec` }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 1 }])
  })
})
