import type { Load } from '../concurrency/load.ts'
import type { Machines } from '../machines/machines.ts'
import { AgentSession, type SessionShared, silent } from './agentSession.ts'
import { keepaliveTask, type TaskStream } from './agentTasks.ts'
import type { AgentIdentity } from './authenticateAgent.ts'
import type { GrpcStatus } from './grpc/grpcStatus.ts'
import { createIoStreams } from './ioStreams.ts'

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

interface SessionServices extends Pick<SessionShared, 'now' | 'whenDurable'> {
  machines: Machines
  load: Pick<Load, 'agentWork' | 'lateMs'>
  /** Milliseconds that an agent has to open a stream. Default: 10,000. */
  attachTimeoutMs?: number
}

/** Milliseconds between keepalives: agents before 2.3 leave after 30 seconds without one. */
const keepaliveMs = 20_000
/** Parts of that time, each with its share of the agents: otherwise thousands would answer at once. */
const keepaliveRounds = 20
/** Milliseconds between keepalives of session streams. */
const streamKeepaliveMs = 30_000
/** Milliseconds without an answer to a keepalive after which a task stream is ended. */
const silentTasksMs = 3 * keepaliveMs

export function createAgentSessions(services: SessionServices): AgentSessions {
  const { machines, load, now, attachTimeoutMs, whenDurable } = services
  const sessions = new Map<string, AgentSession>()
  const taskStreams = Array.from({ length: keepaliveRounds }, () => new Set<TaskStream>())
  let round = 0
  let opened = 0
  const ioStreams = createIoStreams(attachTimeoutMs)
  const shared: SessionShared = {
    load,
    now,
    whenDurable,
    ioStreams,
    keepAlive(stream) {
      opened++
      const ofRound = taskStreams[opened % keepaliveRounds]
      ofRound?.add(stream)
      return () => void ofRound?.delete(stream)
    },
  }
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

  function begin(identity: AgentIdentity): AgentSession {
    const session = new AgentSession(identity, machines.factsOf(identity.serverId), shared)
    machines.add(session.host)
    sessions.set(identity.uuid, session)
    return session
  }

  return {
    of(identity) {
      const session = sessions.get(identity.uuid) ?? begin(identity)
      session.userId = identity.userId
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
