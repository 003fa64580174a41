import type { IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { z } from 'zod'
import type { WorkQueue } from '../../concurrency/workQueue.ts'
import type { ByteBudget } from '../grpc/byteBudget.ts'
import { type GrpcCall, noMetadata } from '../grpc/grpcCall.ts'
import { grpcCodes, internalError } from '../grpc/grpcStatus.ts'
import { InvalidMessage } from '../grpc/messageReader.ts'
import {
  aliveMs,
  createFrameReader,
  createFrameWriter,
  linkProtocol,
  maxCalls,
  silentLooks,
  toLeader,
  toNode,
} from './linkFrames.ts'
import { type NodeLink, RemoteCall, RemoteConnection } from './remoteCall.ts'

/** Takes the calls of agents whose connections end at other nodes (docs/decisions/cluster.md). */
export interface RemoteCalls {
  /** A link of another node, on which it tells of its agents. @param protocol that of the node; another one is refused */
  accept(socket: Socket, protocol: number): void
  /** Ends all links. The nodes keep their agents for whoever leads next. */
  close(): void
}

interface RemoteCallsOptions {
  /** Handlers by path, as `/package.Service/Method`. */
  methods: ReadonlyMap<string, (call: GrpcCall) => void>
  work: WorkQueue
  /** See `Store.whenShown`. */
  whenShown(show: () => void): void
  /** Called with an error of this server; the call has ended then. */
  onError(error: unknown): void
}

/** Bytes that wait for a node to read. */
const maxUnsentBytes = 64 * 1024 * 1024
/** Parts of what a node has sent that wait for their turn, from which on it is not read for a while. */
const maxWaitingParts = 16

const openedCall = z.object({
  connection: z.number(),
  address: z.string(),
  port: z.number(),
  metadata: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
})

export function createRemoteCalls({ methods, work, whenShown, onError }: RemoteCallsOptions): RemoteCalls {
  const links = new Set<Socket>()

  function accept(socket: Socket, protocol: number): void {
    if (protocol !== linkProtocol) {
      socket.destroy()
      return
    }
    const calls = new Map<number, RemoteCall>()
    const connections = new Map<number, RemoteConnection>()
    const memories = new Map<ByteBudget, number>()
    const writer = createFrameWriter(socket)
    let waitingParts = 0
    let looks = 0
    const link: NodeLink = {
      send(kind, id, payload) {
        whenShown(() => {
          if (writer.waitingBytes() > maxUnsentBytes) socket.destroy()
          else writer.send(kind, id, payload)
        })
      },
      numberOf(memory) {
        if (!memory) return 0
        const number = memories.get(memory) ?? memories.size + 1
        memories.set(memory, number)
        return number
      },
      forget: ({ id }) => void calls.delete(id),
    }

    function open(id: number, payload: Buffer): void {
      const { connection: number, address, port, metadata } = openedCall.parse(JSON.parse(payload.toString()))
      const connection = connections.get(number) ?? new RemoteConnection(address, port)
      connections.set(number, connection)
      const call = new RemoteCall(link, id, connection, metadata satisfies IncomingHttpHeaders)
      calls.set(id, call)
      const method = methods.get(metadata[':path']?.toString() ?? '')
      try {
        if (calls.size > maxCalls) call.end(tooMany)
        else if (method) method(call)
        else call.end({ code: grpcCodes.unimplemented, details: 'unknown method' })
      } catch (error) {
        fail(call, error)
      }
      call.metadata = noMetadata
    }

    function fail(call: RemoteCall, error: unknown): void {
      const isTheirs = error instanceof InvalidMessage
      call.end(isTheirs ? { code: grpcCodes.internal, details: error.message } : internalError)
      if (!isTheirs) onError(error)
    }

    function take(kind: number, id: number, payload: Buffer): void {
      if (kind === toLeader.open) open(id, payload)
      else if (kind === toLeader.gone) {
        connections.get(id)?.close()
        connections.delete(id)
      }
      const call = calls.get(id)
      if (!call) return
      try {
        if (kind === toLeader.state) call.receiveState(payload)
        else if (kind === toLeader.message) call.receive(payload)
        else if (kind === toLeader.halfClose) call.halfClose()
        else if (kind === toLeader.close) call.close()
        else if (kind === toLeader.read) call.read(payload.readUInt32LE(0))
      } catch (error) {
        fail(call, error)
      }
    }

    const read = createFrameReader(take)

    function readInTurn(chunk: Buffer): void {
      looks = 0
      waitingParts++
      if (waitingParts > maxWaitingParts) socket.pause()
      work.add(() => {
        waitingParts--
        if (waitingParts <= maxWaitingParts) socket.resume()
        try {
          read(chunk)
        } catch (error) {
          onError(error)
          socket.destroy()
        }
      })
    }

    /** Agents that report come back by another node, or this one; what others are asked for reaches nobody now. */
    function lose(): void {
      writer.close()
      for (const call of [...calls.values()]) call.lose()
      for (const connection of connections.values()) connection.close()
    }

    links.add(socket)
    // The socket's own limit of idleness would not do: what is written to a node that reads nothing counts for it.
    const alive = setInterval(() => {
      writer.send(toNode.alive, 0)
      // Of a node that is not read at the moment, nobody knows whether it is silent.
      looks = waitingParts > 0 ? 0 : looks + 1
      if (looks > silentLooks) socket.destroy()
    }, aliveMs)
    socket.on('data', readInTurn)
    socket.on('error', () => {})
    socket.once('close', () => {
      links.delete(socket)
      clearInterval(alive)
      // What has arrived before comes first.
      work.add(lose)
    })
  }

  return {
    accept,
    close() {
      for (const socket of links) socket.destroy()
    },
  }
}

const tooMany = { code: grpcCodes.resourceExhausted, details: `a node has ${maxCalls} calls of agents at most` }
