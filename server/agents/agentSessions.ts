import { type AgentConnection, AgentGone } from '../machines/hosts/agent/agentConnection.ts'
import { type AgentHost, createAgentHost, offlineAfterMs } from '../machines/hosts/agent/agentHost.ts'
import type { HostState } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { createTaskStream, keepaliveTask, type TaskStream } from './agentTasks.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { type GrpcStatus, grpcCodes } from './grpc/grpcStatus.ts'
import { receiptMessage, stateMessage } from './grpc/nezhaService.ts'
import { createIoStreams } from './ioStreams.ts'

/** One agent, from its first call after the start of the server on: its open streams and its machine. */
export interface AgentSession {
  readonly uuid: string
  readonly host: AgentHost
  openStateStream(call: GrpcCall): void
  openTaskStream(call: GrpcCall): void
  openIoStream(call: GrpcCall): void
  /** Ends all streams. */
  end(status: GrpcStatus): void
}

export interface AgentSessions {
  /** The session of an agent; the first call of an agent begins it. */
  of(uuid: string): AgentSession
  /** Ends an agent's streams and forgets the agent. */
  end(uuid: string, status: GrpcStatus): void
  stop(): void
}

interface SessionServices {
  machines: Machines
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds between keepalives: agents before 2.3 leave after 30 seconds without one. */
const keepaliveMs = 20_000
/** Milliseconds between keepalives of session streams. */
const streamKeepaliveMs = 30_000

export function createAgentSessions({ machines, now }: SessionServices): AgentSessions {
  const sessions = new Map<string, AgentSession>()
  const taskStreams = new Set<TaskStream>()
  const ioStreams = createIoStreams()
  const timers = [
    setInterval(() => {
      for (const stream of taskStreams) stream.send(keepaliveTask)
    }, keepaliveMs),
    setInterval(ioStreams.keepalive, streamKeepaliveMs),
  ]

  function createSession(uuid: string): AgentSession {
    let stateCall: GrpcCall | undefined
    let taskStream: TaskStream | undefined
    const connection: AgentConnection = {
      uuid,
      canReceiveTasks: () => taskStream !== undefined,
      send: (task) => taskStream?.send(task) ?? false,
      async request(task, options) {
        if (!taskStream) throw notConnected()
        return taskStream.request(task, options)
      },
      async openStream(type, data, signal) {
        const ask = (StreamID: string) => {
          if (!taskStream?.send({ type, data: JSON.stringify({ StreamID, ...data }) })) throw notConnected()
        }
        return ioStreams.open(uuid, ask, signal)
      },
    }
    const host = createAgentHost({ connection })
    machines.add(host)

    return {
      uuid,
      host,
      openStateStream(call) {
        stateCall = call
        const endSilent = () => call.end({ code: grpcCodes.unknown, details: 'no report for 12 seconds' })
        const silence = setTimeout(endSilent, offlineAfterMs)
        call.onMessage((bytes) => {
          if (stateCall !== call) return call.end(superseded('state'))
          silence.refresh()
          host.receiveState(readState(bytes), new Date(now()))
          call.send(receipt)
        })
        // Agent 2.3 waits ten seconds more when its end is not answered.
        call.onHalfClose(() => call.end())
        call.onClose(() => {
          clearTimeout(silence)
          if (stateCall !== call) return
          stateCall = undefined
          host.disconnected()
        })
      },
      openTaskStream(call) {
        const stream = createTaskStream(call, now)
        taskStream = stream
        taskStreams.add(stream)
        call.onHalfClose(() => call.end())
        call.onClose(() => {
          taskStreams.delete(stream)
          if (taskStream === stream) taskStream = undefined
        })
      },
      openIoStream: (call) => ioStreams.accept(uuid, call),
      end(status) {
        stateCall?.end(status)
        taskStream?.call.end(status)
        ioStreams.endAll(uuid)
        machines.remove(host)
      },
    }
  }

  return {
    of(uuid) {
      const session = sessions.get(uuid) ?? createSession(uuid)
      sessions.set(uuid, session)
      return session
    },
    end(uuid, status) {
      sessions.get(uuid)?.end(status)
      sessions.delete(uuid)
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

const notConnected = () => new AgentGone('the agent is not connected')

const superseded = (kind: string) => ({ code: grpcCodes.unknown, details: `${kind} stream superseded` })

const receipt = receiptMessage.encode({ proced: true })

/** The wire of the browser has some names that agents do not use. */
function readState(bytes: Uint8Array): HostState {
  const { load1, load5, load15, temperatures, ...state } = stateMessage.decode(bytes)
  return {
    ...state,
    load_1: load1,
    load_5: load5,
    load_15: load15,
    temperatures: temperatures.map(({ name = '', temperature = 0 }) => ({ Name: name, Temperature: temperature })),
  }
}
