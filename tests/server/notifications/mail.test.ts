import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sendMail } from '../../../server/outbound/sendMail.ts'
import { type MailUrl, readMailUrl } from '../../../src/schemas/formats/mailUrl.ts'
import { type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { mailServer, mailUser } from '../../support/fakes/mailServer.ts'
import { startRawServer } from '../../support/fakes/rawServer.ts'
import { logged, notifierFixture } from '../../support/server/fixtures/notifierFixture.ts'

const notifier = { name: 'Mail', request_method: 1, request_type: 1, request_header: '', request_body: '' }
const message = '"Küche" is down 🍳\n.\n..two dots\nBcc: everybody@example.org\n100 % \\ &amp; #NEZHA#'

/** A server with one notifier, whose deliveries are tried without pauses. */
async function fixture(
  url: string,
  { person, verify_tls = false }: { person?: typeof member; verify_tls?: boolean } = {},
) {
  const data = await dataApp({ pause: async () => {} })
  onTestFinished(() => data.notifications.stop())
  await data.call('POST', 'notification', { ...notifier, url, verify_tls, skip_check: true }, person)
  await data.call('POST', 'notification-group', { name: 'all', notifications: [1] }, person)
  return data
}

async function delivered({ call, notifications }: DataApp, text = message): Promise<Record<string, unknown>> {
  notifications.send({ groupId: 1, message: text })
  for (;;) {
    const { body } = await call('GET', 'wheelhouse/deliveries?limit=10')
    const [entry] = (body as { data: { value?: Record<string, unknown>[] } }).data.value ?? []
    if (entry) return entry
    await wait(5)
  }
}

describe('a notifier with a mail address', () => {
  it.each([
    ['smtps, with TLS from the start', true],
    ['smtp, with TLS before anything is sent', false],
  ])('sends the message by mail over %s', async (_, secure) => {
    const { mails, url } = await mailServer({ secure })
    const data = await fixture(url('from=console@example.org&to=a@example.org,b@example.org&to=c@example.org'))
    expect(await delivered(data)).toMatchObject({ state: 1, tries: 1, code: 250 })
    expect(mails).toMatchObject([
      {
        from: 'console@example.org',
        to: ['a@example.org', 'b@example.org', 'c@example.org'],
        user: mailUser.user,
        isTls: true,
        text: message,
        headers: { subject: '"Küche" is down 🍳', 'auto-submitted': 'auto-generated' },
      },
    ])
    expect(mails[0]?.headers.bcc).toBeUndefined()
  })

  it('has the user as sender and a subject of its own where the address says so', async () => {
    const { mails, url } = await mailServer()
    await delivered(await fixture(url('to=a@example.org&subject=%5BRack+7%5D+%23NEZHA%23')), 'web-1 is down\nmore')
    expect(mails).toMatchObject([{ from: mailUser.user, headers: { subject: '[Rack 7] web-1 is down' } }])
  })

  it('sends a test message before it is saved', async () => {
    const { mails, url } = await mailServer()
    const { call } = await dataApp()
    const form = { ...notifier, url: url(), verify_tls: false }
    expect((await call('POST', 'notification', form)).body).toMatchObject({ success: true })
    expect(mails).toMatchObject([{ text: 'a test message', headers: { subject: 'a test message' } }])
    const wrong = { ...form, url: url().replace('%22', 'x') }
    expect((await call('POST', 'notification', wrong)).body).toEqual({
      error: 'the mail server refused: 535 5.7.8 Wrong user or password',
    })
  })

  it('sends nothing through a server without TLS, or with a certificate that is not valid', async () => {
    const plain = await mailServer({ secure: false, hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    const refused = await delivered(await fixture(plain.url()))
    expect(refused).toMatchObject({ state: 2, reply: expect.stringMatching(/^no TLS is offered \(STARTTLS\): /) })
    const unknown = await mailServer()
    const log = await delivered(await fixture(unknown.url(), { verify_tls: true }))
    const reason = 'self-signed certificate, which is not trusted here'
    expect(log).toMatchObject({ state: 2, reply: expect.stringMatching(new RegExp(`: ${reason}$`)) })
    const later = await mailServer({ secure: false })
    const log2 = await delivered(await fixture(later.url(), { verify_tls: true }))
    expect(log2).toMatchObject({ state: 2, reply: expect.stringMatching(new RegExp(`: ${reason}$`)) })
    expect([...plain.mails, ...unknown.mails]).toEqual([])
  })

  it('is tried once when the server refuses for good, and no password is in the log', async () => {
    const { mails, url } = await mailServer({
      onAuth: ({ password }, _session, done) => {
        done(Object.assign(new Error(`5.7.8 not with ${password}`), { responseCode: 535 }))
      },
    })
    const entry = await delivered(await fixture(url()))
    expect(entry).toMatchObject({ state: 2, tries: 1, code: 535, reply: '5.7.8 not with …' })
    expect(mails).toEqual([])
  })

  it('is tried for as long as a server asks for it that lets unknown senders wait', async () => {
    let calls = 0
    const { mails, url } = await mailServer({
      onMailFrom: (_address, _session, done) =>
        done(++calls < 8 ? Object.assign(new Error('4.7.1 Greylisted'), { responseCode: 450 }) : null),
    })
    const data = await notifierFixture([{ ...notifier, url: url(), verify_tls: false }])
    data.notifications.send({ groupId: 1, message })
    expect(await logged(data, 1)).toMatchObject([{ state: 1, tries: 8 }])
    expect(data.pauses).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000])
    expect(mails).toHaveLength(1)
  })

  it('names the recipients that the server refuses, and does not send again to the others', async () => {
    const { mails, url } = await mailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('gone') ? Object.assign(new Error('5.1.1 Unknown'), { responseCode: 550 }) : null),
    })
    const entry = await delivered(await fixture(url('from=c@example.org&to=a@example.org,gone@example.org')))
    expect(entry).toMatchObject({ state: 2, tries: 1, reply: expect.stringMatching(/^not accepted for /) })
    expect(mails).toMatchObject([{ to: ['a@example.org'] }])
  })

  it('of a member may not lie in a private network, like every other target', async () => {
    const { mails, url } = await mailServer()
    const entry = await delivered(await fixture(url(), { person: member }))
    expect(entry).toMatchObject({ state: 2, tries: 1, reply: expect.stringMatching(/^mail server is not allowed/) })
    expect(mails).toEqual([])
  })
})

describe('a mail address that would write headers', () => {
  const { url } = { url: (query: string) => `smtps://u:p@mail.example.org/?${query}` }

  it.each([
    'to=a@example.org%0D%0ABcc:b@example.org&from=c@example.org',
    'to=a@example.org&from=c@example.org%0ABcc:b@example.org',
    'to=%22a%22%20%3Cb@example.org%3E&from=c@example.org',
    'to=a@example.org%E2%80%AE&from=c@example.org',
    'to=nobody&from=c@example.org',
    'from=c@example.org',
    'to=a@example.org',
    `from=c@example.org&to=${Array.from({ length: 21 }, (_, at) => `a${at}@example.org`).join(',')}`,
  ])('is refused: %s', async (query) => {
    expect(readMailUrl(url(query))).toBeUndefined()
    const { call } = await dataApp()
    const reply = await call('POST', 'notification', { ...notifier, url: url(query) })
    expect(reply.body).toEqual({ error: expect.stringMatching(/^the mail address needs the form smtps:/) })
  })

  it('by its subject or by the message writes one line of it', async () => {
    const server = await mailServer()
    await delivered(await fixture(server.url('to=a@example.org&subject=x%0D%0ABcc:%20b@example.org%0A%0A%23NEZHA%23')))
    const [mail] = server.mails
    expect(mail?.to).toEqual(['a@example.org'])
    expect(mail?.headers.bcc).toBeUndefined()
    expect(mail?.headers.subject).toBe('x')
  })
})

describe('a mail server that does not keep to the protocol', () => {
  async function rawServer(onConnection: (socket: Socket) => void) {
    const { port, open } = await startRawServer(onConnection)
    return { open, url: readMailUrl(`smtp://127.0.0.1:${port}/?from=a@example.org&to=b@example.org`) as MailUrl }
  }
  const send = (url: MailUrl, timeoutMs = 400) =>
    sendMail({ url, subject: 's', text: 't', verifyTls: false }, { allowPrivate: true, timeoutMs })

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['says its greeting letter by letter', (socket) => void setInterval(() => socket.write('2'), 20).unref()],
    ['goes on with its greeting', (socket) => void setInterval(() => socket.write('220-x\r\n'), 20).unref()],
  ])('and %s is given up at the deadline', async (_, onConnection) => {
    const { url, open } = await rawServer(onConnection)
    await expect(send(url)).rejects.toThrow('the mail server did not answer in time')
    await vi.waitFor(() => expect(open.size).toBe(0))
  })

  it('and answers without end is disconnected long before the deadline', async () => {
    const line = `220-${'x'.repeat(1000)}\r\n`
    const { url, open } = await rawServer((socket) => {
      const flood = () => {
        while (socket.writable && socket.write(line.repeat(20)));
      }
      socket.on('drain', flood)
      flood()
    })
    await expect(send(url, 20_000)).rejects.toThrow('does not speak SMTP, or too much of it')
    await vi.waitFor(() => expect(open.size).toBe(0))
  })

  it('and refuses the connection is named without its path', async () => {
    const { url, open } = await rawServer((socket) => socket.destroy())
    await expect(send(url)).rejects.toThrow(/^smtp:\/\/127\.0\.0\.1:\d+: /)
    expect(open.size).toBe(0)
    await expect(send({ ...url, port: 1 })).rejects.toThrow('dial tcp 127.0.0.1:1: connect: connection refused')
  })
})

describe('a stored notifier', () => {
  const test = (data: DataApp, person?: typeof member) =>
    data.call('POST', 'wheelhouse/notification/1/test', undefined, person)

  it('is tested by its owner and administrators, with what the receiver answered', async () => {
    const { mails, url } = await mailServer()
    const data = await fixture(url())
    expect((await test(data)).body).toMatchObject({ data: { sent: true, code: 250 } })
    expect(mails).toMatchObject([{ text: 'a test message' }])
    expect((await test(data, member)).body).toEqual({ error: 'permission denied' })
    const missing = await data.call('POST', 'wheelhouse/notification/9/test')
    expect(missing.body).toEqual({ error: 'notification id 9 does not exist' })
  })

  it('is refused an eleventh test of one person while ten are under way', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const data = await fixture(`smtp://127.0.0.1:${port}/?from=a@example.org&to=b@example.org`)
    const ten = Array.from({ length: 10 }, () => test(data))
    await vi.waitFor(async () =>
      expect((await test(data)).body).toEqual({ error: '10 of your tests are under way: wait until one has ended' }),
    )
    await data.notifications.stop()
    expect((await Promise.all(ten)).map(({ body }) => body)).toEqual(
      Array(10).fill({ success: true, data: { sent: false, code: 0, reply: expect.any(String) } }),
    )
  })

  it('shows its address to its owner alone', async () => {
    const { url } = await mailServer()
    const data = await fixture(url(), { person: member })
    const reveal = (person?: typeof member) => data.call('POST', 'wheelhouse/notification/1/reveal', undefined, person)
    expect((await reveal(member)).body).toEqual({ success: true, data: { url: url() } })
    expect((await reveal()).body).toEqual({ error: 'only the owner of a notifier may see its address' })
    expect(JSON.stringify((await data.call('GET', 'notification', undefined, member)).body)).not.toContain('smtps')
  })
})
