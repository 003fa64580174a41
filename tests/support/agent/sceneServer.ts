import { Server, ServerCredentials, type ServerDuplexStream, type ServerUnaryCall, status } from '@grpc/grpc-js'
import { encodeMessage, pathOf, type TaskMessage } from './agentMessages.ts'

type Stream = ServerDuplexStream<Buffer, Buffer>
type Reply = (error: { code: number; details: string } | null, reply?: Buffer) => void

/** As much of a server as the scenes of the recordings need; what it sends is decided by the test. */
export interface SceneServer {
  /** `host:port`. */
  address: string
  port: number
  /** Statuses for the next host reports; when empty they are accepted. */
  refusals: { code: number; details: string }[]
  /** @returns whether an agent can receive it */
  sendTask(task: TaskMessage): boolean
  /** The sessions that agents opened, in order. */
  sessions: Stream[]
  /** The next state is answered with this status instead of a receipt. */
  supersede: { code: number; details: string } | undefined
  /** Whether states are answered. */
  isSilent: boolean
  /** Drops all connections and ends. */
  stop(): Promise<void>
}

const same = (bytes: Buffer) => bytes
const form = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same }
const unary = (path: string) => ({ path, requestStream: false, responseStream: false, ...form })
const streaming = (path: string) => ({ path, requestStream: true, responseStream: true, ...form })

/** @param at the port to listen at, and the time at which it was started in seconds since 1970 */
export async function startSceneServer(
  at: { port?: number; bootTime?: number; key?: string; cert?: string } = {},
): Promise<SceneServer> {
  const { port = 0, bootTime = 1_795_331_767, key, cert } = at
  const server = new Server({ 'grpc.max_receive_message_length': 4_194_304 })
  let tasks: Stream | undefined
  const scene: SceneServer = {
    address: '',
    port: 0,
    refusals: [],
    sessions: [],
    supersede: undefined,
    isSilent: false,
    sendTask(task) {
      tasks?.write(encodeMessage('Task', task))
      return tasks !== undefined
    },
    async stop() {
      server.forceShutdown()
    },
  }
  server.addService(
    {
      ReportSystemInfo2: unary(pathOf('ReportSystemInfo2')),
      ReportGeoIP: unary(pathOf('ReportGeoIP')),
      ReportSystemState: streaming(pathOf('ReportSystemState')),
      RequestTask: streaming(pathOf('RequestTask')),
      IOStream: streaming(pathOf('IOStream')),
    },
    {
      ReportSystemInfo2(_call: ServerUnaryCall<Buffer, Buffer>, reply: Reply) {
        const refusal = scene.refusals.shift()
        if (refusal) reply(refusal)
        else reply(null, encodeMessage('Uint64Receipt', { data: bootTime }))
      },
      ReportGeoIP(_call: ServerUnaryCall<Buffer, Buffer>, reply: Reply) {
        reply(null, encodeMessage('GeoIP', { dashboard_boot_time: bootTime }))
      },
      ReportSystemState(call: Stream) {
        call.on('data', () => {
          if (scene.supersede) {
            fail(call, scene.supersede)
            scene.supersede = undefined
          } else if (!scene.isSilent) call.write(encodeMessage('Receipt', { proced: true }))
        })
        call.on('end', () => fail(call, { code: status.UNKNOWN, details: 'EOF' }))
        call.on('error', () => {})
      },
      RequestTask(call: Stream) {
        tasks = call
        call.on('data', () => {})
        call.on('end', () => call.end())
        call.on('error', () => {})
        call.on('cancelled', () => {
          if (tasks === call) tasks = undefined
        })
      },
      IOStream(call: Stream) {
        scene.sessions.push(call)
        call.on('data', () => {})
        call.on('end', () => call.end())
        call.on('error', () => {})
      },
    },
  )
  const credentials =
    key && cert
      ? ServerCredentials.createSsl(null, [{ private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }])
      : ServerCredentials.createInsecure()
  scene.port = await new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)))
  })
  scene.address = `127.0.0.1:${scene.port}`
  return scene
}

/** Ends a stream with a status, after what was written before. */
function fail(call: Stream, ending: { code: number; details: string }): void {
  call.emit('error', ending)
}
