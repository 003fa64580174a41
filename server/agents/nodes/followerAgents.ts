import type { Socket } from 'node:net'
import { createWorkQueue } from '../../concurrency/workQueue.ts'
import type { Log } from '../../log.ts'
import { type ByteBudget, createByteBudget } from '../grpc/byteBudget.ts'
import { type GrpcConnection, noMetadata } from '../grpc/grpcCall.ts'
import { createGrpcServer } from '../grpc/grpcServer.ts'
import { grpcCodes } from '../grpc/grpcStatus.ts'
import { pathOf, sessionPath } from '../grpc/nezhaService.ts'
import { createLeaderLink } from './leaderLink.ts'
import { maxCalls, toLeader, toNode } from './linkFrames.ts'
import { createPassedCall, createRepeatedCall, type PassedCall } from './passedCall.ts'
import { createStreamPasser } from './streamPasser.ts'

/** The agents whose connections end at a node that does not lead (docs/decisions/cluster.md). */
export interface FollowerAgents {
  /** Serves HTTP/2 on a connection; bytes that were read already must have been put back. */
  accept(socket: Socket): void
  /** Whether this node alone has not reached the leader for some seconds. */
  isCut(): boolean
  /** Ends all connections. The leader is not told: agents come back to another node. */
  close(): void
}

interface FollowerAgentsOptions {
  key: Buffer
  /** `undefined` while nobody leads. */
  leaderAddress(): string | undefined
  /** Whether others hear of the leader. */
  isLeaderAlive(): boolean
  /** The leader is there for others, and does not answer this node. */
  onCut(): void
  log: Log
}

/**
 * Milliseconds for which agents keep their connections without a leader: until another one leads, or, where the leader
 * does not answer this node alone, so short that they are at another node before they count as offline.
 */
const holdMs = { gone: 20_000, silent: 2000 }

/** Bytes of memory for messages of one secret that have not arrived whole. */
const maxBytes = 256 * 1024 * 1024

/** All but the streams of sessions, which are passed on as they are. */
const methodNames = ['ReportSystemInfo', 'ReportSystemInfo2', 'ReportGeoIP', 'ReportSystemState', 'RequestTask']

export function createFollowerAgents(options: FollowerAgentsOptions): FollowerAgents {
  const { key, leaderAddress, isLeaderAlive, onCut, log } = options
  const calls = new Map<number, PassedCall>()
  const connections = new Map<GrpcConnection, number>()
  const memories = new Map<number, ByteBudget>()
  /** What agents have said of themselves, by their connection and the name of the call. */
  const facts = new Map<number, Map<string, { opened: Uint8Array; message: Uint8Array }>>()
  const work = createWorkQueue({ onError })
  let lastId = 0
  /** Those of connections. */
  const numbersInUse = new Set<number>()
  let hold: NodeJS.Timeout | undefined
  /** Whether the link has had no room, and what agents send waits. */
  let isHolding = false

  const link = createLeaderLink({
    key,
    leaderAddress,
    isLeaderAlive,
    log,
    onOpen() {
      clearTimeout(hold)
      hold = undefined
      memories.clear()
      const open = [...calls.values()]
      // Before the streams of their agents: the first report already shows which machine it is.
      repeatFacts()
      for (const call of open) call.announce()
    },
    onLost(isSilent) {
      isHolding = false
      for (const call of [...calls.values()]) call.lose()
      hold ??= setTimeout(endAll, isSilent ? holdMs.silent : holdMs.gone)
      if (isSilent) onCut()
    },
    onCut() {
      clearTimeout(hold)
      endAll()
      onCut()
    },
    onFrame(kind, id, payload) {
      const call = calls.get(id)
      if (!call) return
      if (kind === toNode.accept) call.accept(payload.readUInt32LE(0), memoryOf(payload.readUInt32LE(4)))
      else if (kind === toNode.message) call.deliver(payload)
      else if (kind === toNode.end) call.end({ code: payload.readUInt8(0), details: payload.toString('utf8', 1) })
      else if (kind === toNode.pause) call.pause()
      else if (kind === toNode.resume) call.resume()
    },
    onDrain() {
      isHolding = false
      for (const call of calls.values()) call.drained()
    },
  })

  /** Frames have 32 bits for it, and strangers begin calls, too. */
  function nextId(): number {
    do lastId = lastId < 0xffff_ffff ? lastId + 1 : 1
    while (calls.has(lastId) || numbersInUse.has(lastId))
    return lastId
  }

  function onError(error: unknown): void {
    log.error('A call of an agent failed:', error)
  }

  function repeatFacts(): void {
    for (const ofConnection of facts.values()) {
      for (const { opened, message } of ofConnection.values()) {
        const id = nextId()
        const repeated = createRepeatedCall({ id, link, opened, message, onEnd: () => calls.delete(id) })
        calls.set(id, repeated)
        repeated.announce()
      }
    }
  }

  /** One message of each of thousands may be long. */
  function holdAll(): void {
    if (isHolding) return
    isHolding = true
    for (const call of calls.values()) call.hold()
  }

  function endAll(): void {
    hold = undefined
    for (const call of [...calls.values()]) call.end(noLeader)
  }

  function memoryOf(number: number): ByteBudget {
    const memory = memories.get(number) ?? createByteBudget(maxBytes)
    memories.set(number, memory)
    return memory
  }

  function numberOf(connection: GrpcConnection): number {
    const known = connections.get(connection)
    if (known !== undefined) return known
    const number = nextId()
    connections.set(connection, number)
    numbersInUse.add(number)
    connection.onClose(() => {
      connections.delete(connection)
      numbersInUse.delete(number)
      facts.delete(number)
      link.send(toLeader.gone, number)
    })
    return number
  }

  const passer = createStreamPasser({ key, leaderAddress, isKnown: (near) => grpc.isAuthenticated(near) })
  const grpc = createGrpcServer({
    methods: new Map(
      methodNames.map((name) => [
        pathOf(name),
        (call) => {
          if (!leaderAddress() && !link.isOpen()) return call.end(noLeader)
          if (link.isOverfull() || calls.size >= maxCalls) return call.end(tooMuch)
          const id = nextId()
          const connection = numberOf(call.connection)
          const onFacts = (opened: Uint8Array, message: Uint8Array) =>
            facts.set(connection, (facts.get(connection) ?? new Map()).set(name, { opened, message }))
          const passed = createPassedCall({ id, name, call, link, connection, onFacts, onFull: holdAll })
          calls.set(id, passed)
          call.onClose(() => calls.delete(id))
          passed.announce()
          call.metadata = noMetadata
        },
      ]),
    ),
    isCall: (path) => path !== sessionPath,
    onError,
    work,
  })

  return {
    accept: (socket) => grpc.accept(socket, passer.pass),
    isCut: link.isCut,
    close() {
      clearTimeout(hold)
      link.close()
      grpc.close({ code: grpcCodes.unavailable, details: 'the server is shutting down' })
      work.close()
    },
  }
}

const tooMuch = {
  code: grpcCodes.unavailable,
  details: 'the server has too much to do: try again later',
}

const noLeader = {
  code: grpcCodes.unavailable,
  details: 'no server leads this cluster at the moment: try again in a few seconds',
}
