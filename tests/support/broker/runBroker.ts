import { createServer } from 'node:net'
import { pathToFileURL } from 'node:url'

/**
 * An MQTT broker that lets `watch` in with the password `broker-secret`, and keeps a message on `state/boiler`. It writes
 * its port to its output, and ends when its input does. It takes the path of the main file of the package.
 */
const { Aedes } = await import(pathToFileURL(process.argv[2] ?? '').href)
const broker = await Aedes.createBroker()
broker.authenticate = (
  _client: unknown,
  user: string | null,
  password: Buffer | null,
  done: (error: Error | null, isIn: boolean) => void,
) => done(null, user === 'watch' && String(password) === 'broker-secret')
broker.publish({ cmd: 'publish', topic: 'state/boiler', payload: 'temperature=61', qos: 0, retain: true }, () => {})

const server = createServer(broker.handle)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
process.stdin.resume().once('close', () => process.exit())
