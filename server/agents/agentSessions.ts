import type { Load } from '../concurrency/load.ts'
import {
  type AgentConnection,
  AgentNotConnected,
  type AgentTask,
  streamIdKey,
} from '../machines/hosts/agent/agentConnection.ts'
import { type AgentHost, createAgentHost, offlineAfterMs } from '../machines/hosts/agent/agentHost.ts'
import type { Host, HostAddresses, HostDetails, HostState } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { createTaskStream, keepaliveTask, type TaskStream } from './agentTasks.ts'
import type { AgentIdentity } from './authenticateAgent.ts'
import { createCurrentStream, type OpenStream } from './currentStream.ts'
import type { GrpcCall, GrpcConnection } from './grpc/grpcCall.ts'
import { type GrpcStatus, grpcCodes } from './grpc/grpcStatus.ts'
import { listenToStates } from './grpc/stateReports.ts'
import { createIoStreams } from './ioStreams.ts'

/** All streams of a uuid since the start of the server, and the machine behind them. */
export interface AgentSession {
  receiveHost(call: GrpcCall, host: HostDetails): void
  receiveAddresses(call: GrpcCall, addresses: HostAddresses): void
  openStateStream(call: GrpcCall, address: string): void
  openTaskStream(call: GrpcCall, address: string): void
  openIoStream(call: GrpcCall): void
  /** Ends all streams. */
  end(status: GrpcStatus): void
  isConnected(): boolean
  readonly host: Host
  /** Whose secret the agent used last. */
  userId: number
}

export interface AgentSessions {
  /** The session of an agent; its first call begins it. */
  of(identity: AgentIdentity): AgentSession
  find(uuid: string): AgentSession | undefined
  /** How many agents are connected: those that report, and those that only take orders. */
  connectedCount(): number
  /** Ends the streams of an agent and forgets it. */
  end(uuid: string, status: GrpcStatus): void
  /** Ends the streams of all agents with a user's secret. */
  endOfUser(userId: number, status: GrpcStatus): void
  stop(): void
}

interface SessionServices {
  machines: Machines
  load: Pick<Load, 'agentWork' | 'lateMs'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds that an agent has to open a stream. Default: 10,000. */
  attachTimeoutMs?: number
  /** See `Store.whenDurable`. Orders wait for it. */
  whenDurable(act: () => void): void
}

/** Milliseconds between keepalives: agents before 2.3 leave after 30 seconds without one. */
const keepaliveMs = 20_000
/** Parts of that time, each with its share of the agents: otherwise thousands would answer at once. */
const keepaliveRounds = 20
/** Milliseconds between keepalives of session streams. */
const streamKeepaliveMs = 30_000
/** Milliseconds without an answer to a keepalive after which a task stream is ended. */
const silentTasksMs = 3 * keepaliveMs
/** Milliseconds for which this server may be late before silence is no longer the fault of agents. */
const mostLateMs = 1000

/**
 * Milliseconds for which the reports of an agent may be missing whose node cannot be reached: it notices that, pauses for
 * ten seconds (docs/contract/AGENT.md#1-transport) and connects to another one.
 */
const movingMs = 13_000

type Facts = { host?: HostDetails; geoip?: HostAddresses }

export function createAgentSessions(services: SessionServices): AgentSessions {
  const { machines, load, now, attachTimeoutMs, whenDurable } = services
  const sessions = new Map<string, AgentSession>()
  const taskStreams = Array.from({ length: keepaliveRounds }, () => new Set<TaskStream>())
  let round = 0
  let opened = 0
  const ioStreams = createIoStreams(attachTimeoutMs)
  const timers = [
    setInterval(keepTasksAlive, keepaliveMs / keepaliveRounds),
    setInterval(ioStreams.keepalive, streamKeepaliveMs),
  ]

  function keepTasksAlive(): void {
    round = (round + 1) % keepaliveRounds
    for (const stream of taskStreams[round] ?? []) load.agentWork.add(() => keepAlive(stream))
  }

  function keepAlive(stream: TaskStream): void {
    // An answer may wait for its turn here.
    if (now() - stream.lastResultAt() > silentTasksMs + load.lateMs()) stream.call.end(silent('answer to a keepalive'))
    else stream.send(keepaliveTask)
  }

  function createSession({ uuid, serverId, userId }: AgentIdentity): AgentSession {
    const states = createCurrentStream<OpenStream>()
    const tasks = createCurrentStream<TaskStream>()
    /** What each of several machines has reported about itself. */
    const factsOf = new WeakMap<GrpcConnection, Facts>()
    const connection = createConnection(uuid, taskStream)
    const lateMs = () => load.lateMs() + (states.current()?.call.isLost() ? movingMs : 0)
    const host: AgentHost = createAgentHost({ connection, facts: machines.factsOf(serverId), lateMs })
    machines.add(host)

    /** The task stream of the machine whose reports are shown, or why there is none. */
    function taskStream(): TaskStream | AgentNotConnected {
      const state = states.current()
      if (!state || !states.hasDuplicates())
        return tasks.current() ?? new AgentNotConnected('the agent is not connected')
      const sameConnection = tasks.all().find(({ call }) => call.connection === state.call.connection)
      if (sameConnection) return sameConnection
      // Behind a proxy each stream has a connection of its own.
      const sameAddress = tasks.all().filter(({ address }) => address === state.address)
      const [only] = sameAddress
      if (only && sameAddress.length === 1) return only
      return new AgentNotConnected('several machines use the uuid of this server: give each its own')
    }

    function isShown({ connection }: GrpcCall): boolean {
      return !states.hasDuplicates() || states.current()?.call.connection === connection
    }

    function showCurrent(): void {
      const current = states.current()
      const duplicates = states.hasDuplicates() ? states.all().map(({ address }) => address) : undefined
      host.replaceFacts({ ...(current && factsOf.get(current.call.connection)), duplicates })
    }

    function receive(call: GrpcCall, facts: Facts): void {
      factsOf.set(call.connection, { ...factsOf.get(call.connection), ...facts })
      if (!isShown(call)) return
      if (facts.host) host.receiveHost(facts.host)
      if (facts.geoip) host.receiveAddresses(facts.geoip)
    }

    return {
      host,
      userId,
      receiveHost: (call, host) => receive(call, { host }),
      receiveAddresses: (call, geoip) => receive(call, { geoip }),
      openStateStream(call, address) {
        const stream = { call, address }
        if (!states.add(stream, now())) return call.end(superseded('state'))
        // The agent has come by another node.
        for (const other of states.all()) if (other !== stream && other.call.isLost()) other.call.end()
        let hasWaited = false
        const silence = setTimeout(() => {
          const isMoving = call.isLost() && !hasWaited
          hasWaited = call.isLost()
          // Its report, or its receipt, may wait for its turn here.
          if (isMoving || load.lateMs() > mostLateMs) silence.refresh()
          else call.end(silent('report'))
        }, offlineAfterMs)
        function receiveState(state: HostState): void {
          silence.refresh()
          const before = states.current()
          const counts = states.used(stream, now())
          if (states.current() !== before) showCurrent()
          if (counts) host.receiveState(state, new Date(now()))
        }
        if (call.onState) call.onState(receiveState)
        else {
          listenToStates(call, (state, sendReceipt) => {
            receiveState(state)
            sendReceipt()
          })
        }
        // Agent 2.3 waits ten seconds more when its end is not answered.
        call.onHalfClose(() => call.end())
        call.onClose(() => {
          clearTimeout(silence)
          const hadDuplicates = states.hasDuplicates()
          states.remove(stream)
          if (hadDuplicates) showCurrent()
          if (!states.current()) host.disconnected()
        })
      },
      openTaskStream(call, address) {
        const stream = createTaskStream(call, {
          address,
          now,
          onResult: () => tasks.used(stream, now()),
          whenDurable,
        })
        if (!tasks.add(stream, now())) return call.end(superseded('request task'))
        opened++
        const ofRound = taskStreams[opened % keepaliveRounds]
        ofRound?.add(stream)
        call.onHalfClose(() => call.end())
        call.onClose(() => {
          ofRound?.delete(stream)
          tasks.remove(stream)
        })
      },
      openIoStream: (call) => ioStreams.accept(uuid, call),
      isConnected: () => states.current() !== undefined || tasks.current() !== undefined,
      end(status) {
        for (const { call } of [...states.all(), ...tasks.all()]) call.end(status)
        ioStreams.endAll(uuid)
      },
    }
  }

  function createConnection(uuid: string, taskStream: () => TaskStream | AgentNotConnected): AgentConnection {
    const send = (task: AgentTask) => {
      const stream = taskStream()
      return !(stream instanceof AgentNotConnected) && stream.send(task) !== undefined
    }
    return {
      uuid,
      canReceiveTasks: () => !(taskStream() instanceof AgentNotConnected),
      send,
      async request(task, options) {
        const stream = taskStream()
        if (stream instanceof AgentNotConnected) throw stream
        return stream.request(task, options)
      },
      async openStream(type, data, signal) {
        const stream = taskStream()
        if (stream instanceof AgentNotConnected) throw stream
        const ask = (id: string) => stream.send({ type, data: JSON.stringify({ [streamIdKey(type)]: id, ...data }) })
        return ioStreams.open(uuid, ask, signal)
      },
    }
  }

  return {
    of(identity) {
      const session = sessions.get(identity.uuid) ?? createSession(identity)
      session.userId = identity.userId
      sessions.set(identity.uuid, session)
      return session
    },
    find: (uuid) => sessions.get(uuid),
    connectedCount: () => [...sessions.values()].filter((session) => session.isConnected()).length,
    end(uuid, status) {
      const session = sessions.get(uuid)
      if (!session) return
      sessions.delete(uuid)
      session.end(status)
      machines.remove(session.host)
    },
    endOfUser(userId, status) {
      for (const session of sessions.values()) if (session.userId === userId) session.end(status)
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

const superseded = (kind: string) => ({ code: grpcCodes.unknown, details: `${kind} stream superseded` })

const silent = (missing: string) => ({ code: grpcCodes.unknown, details: `no ${missing} for too long` })
