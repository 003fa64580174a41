import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMachines } from '../../../../server/machines/machines.ts'
import { resolveTarget } from '../../../../server/outbound/dial.ts'
import { enter } from '../fixtures/openSession.ts'
import { testServer } from '../testServer.ts'

/** Runs in a network namespace of its own, where this machine has the public address 8.8.4.4 and gets others. */
const hits: string[] = []
const listener = createServer((request, reply) => {
  hits.push(String(request.headers.host))
  reply.end('inside')
})
await new Promise<void>((done) => listener.listen(0, '::', done))
const { port } = listener.address() as AddressInfo

const server = await testServer({ machines: ({ store }) => createMachines({ store }) })
const [admin, member] = [await enter(server, 1), await enter(server, 2)]
const urls = [`http://8.8.4.4:${port}/`, `http://[::ffff:8.8.4.4]:${port}/`, `http://134743044:${port}/`]
const save = async (browser: typeof admin, url: string) =>
  (await browser.call('POST', 'notification', { body: { name: 'n', url, request_method: 1, request_type: 1 } })).body

const ofMember = await Promise.all(urls.map((url) => save(member, url)))
const hitsByMember = hits.length
const ofAdmin = await save(admin, urls[0] as string)

const mayCall = async (address: string) =>
  await resolveTarget(address, { allowPrivate: false }).then(
    () => 'called',
    () => 'refused',
  )
const before = await mayCall('9.9.9.9')
execFileSync('ip', ['addr', 'add', '9.9.9.9/32', 'dev', 'lo'])
execFileSync('ip', ['addr', 'add', '2606:4700::1111/128', 'dev', 'lo'])
await new Promise((done) => setTimeout(done, 1100))
const after = await Promise.all(['9.9.9.9', '2606:4700::1111', '2606:4700::1111%lo', '2606:4700::2222'].map(mayCall))

console.info(
  JSON.stringify({ ofMember, hitsByMember, ofAdmin, hitsByAdmin: hits.length - hitsByMember, before, after }),
)
listener.close()
await server.app.close()
