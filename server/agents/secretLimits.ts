import { createTokenBucket, type Rate, type TokenBucket } from '../concurrency/tokenBucket.ts'
import { AgentRefusal } from './agentRefusal.ts'
import { type AgentIdentity, nobody } from './authenticateAgent.ts'
import { type ByteBudget, createByteBudget } from './grpc/byteBudget.ts'
import type { GrpcCall, GrpcConnection } from './grpc/grpcCall.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'

type Agent = Pick<AgentIdentity, 'uuid' | 'userId'>

/** What all agents with one secret may take together: a whole fleet has one, and so has whoever has found it. */
export interface SecretLimits {
  /** Counts a call until it ends, its connection, and what it sends. @throws AgentRefusal */
  countCall(agent: Agent, call: GrpcCall): void
  /** Counts a machine that registers. @throws AgentRefusal */
  countNewMachine(agent: Agent): void
}

interface SecretLimitsOptions {
  /** How many machines there are with the secret of a user, or with one of their own. */
  machinesOf(userId: number): number
  /** Called with a sentence for the operator, and what is refused. */
  onRefusal(text: string, kind: string): void
}

/**
 * Calls and connections that may be open. A machine has two streams and makes a report, each on a connection of its own
 * where a proxy stands between, and an outage leaves as many behind. Beside them there is room for machines that are
 * new, for copies of one machine, and for sessions.
 */
const openLimit = { perMachine: 6, beside: 512 }

/**
 * Calls that may begin, without those of sessions: an agent that connects makes four, and then one in ten minutes. All of
 * them connect at once after a restart, and those that fail come again every ten seconds.
 */
const callRate = { perMachine: { burst: 8, perSecond: 0.5 }, beside: { burst: 1024, perSecond: 200 } }

/** Machines that register: a fleet of 5,000 that a script rolls out is there within a quarter of an hour. */
const registrationRate: Rate = { burst: 500, perSecond: 5 }

/** Machines of one secret. Those of members are limited by the settings as well. */
const maxMachines = 20_000

/** Bytes of memory for messages of one secret that have not arrived whole: 4,000 agents with 64 KiB of output each. */
const maxBytes = 256 * 1024 * 1024

/** Milliseconds between two counts of the machines of a secret. */
const countMs = 1000

interface Account {
  calls: number
  readonly connections: Set<GrpcConnection>
  readonly memory: ByteBudget
  readonly registrations: TokenBucket
  /** Calls that may begin. */
  readonly begun: TokenBucket
  machines: number
  countedAt: number
}

export function createSecretLimits({ machinesOf, onRefusal }: SecretLimitsOptions): SecretLimits {
  const accounts = new Map<string, Account>()

  function accountOf({ uuid, userId }: Agent): Account {
    const secret = userId === nobody ? uuid : `of user ${userId}`
    const account = accounts.get(secret) ?? {
      calls: 0,
      connections: new Set(),
      memory: createByteBudget(maxBytes),
      registrations: createTokenBucket(registrationRate),
      begun: createTokenBucket(rateFor(0)),
      machines: 0,
      countedAt: Number.NEGATIVE_INFINITY,
    }
    accounts.set(secret, account)
    if (performance.now() - account.countedAt > countMs) {
      account.machines = machinesOf(userId)
      account.begun.setRate(rateFor(account.machines))
      account.countedAt = performance.now()
    }
    return account
  }

  function refuse(what: string, limit: string, remedy: string): AgentRefusal {
    const text = `${what} of agents with one secret are refused: ${limit}, which is the limit (docs/decisions/limits.md).`
    onRefusal(text, `${what} of agents`)
    return new AgentRefusal(`too many ${what.toLowerCase()} with this secret: ${remedy}`, grpcCodes.resourceExhausted)
  }

  return {
    countCall(agent, call) {
      const account = accountOf(agent)
      const { connection } = call
      const open = openLimit.beside + openLimit.perMachine * account.machines
      if (account.calls >= open) throw refuse('Calls', `${open} are open`, 'some have to end first')
      if (!account.connections.has(connection)) {
        if (account.connections.size >= open) throw refuse('Connections', `${open} are open`, 'some have to end first')
        account.connections.add(connection)
        connection.onClose(() => account.connections.delete(connection))
      }
      if (!isSession(call) && !account.begun.take()) {
        const { burst, perSecond } = rateFor(account.machines)
        throw refuse('Calls', `${burst} at once and ${perSecond} a second may begin`, 'try again')
      }
      account.calls++
      call.onClose(() => {
        account.calls--
      })
      call.countIn(account.memory)
    },
    countNewMachine(agent) {
      const account = accountOf(agent)
      if (account.machines >= maxMachines)
        throw refuse('Registrations', `there are ${maxMachines} machines`, 'delete servers first')
      if (account.registrations.take()) return
      const { burst, perSecond } = registrationRate
      const rate = `${burst} at once and ${perSecond} a second`
      throw refuse('Registrations', rate, `at most ${rate}; this agent is let in when it tries again`)
    },
  }
}

const rateFor = (machines: number): Rate => ({
  burst: callRate.beside.burst + callRate.perMachine.burst * machines,
  perSecond: callRate.beside.perSecond + callRate.perMachine.perSecond * machines,
})

const isSession = ({ metadata }: GrpcCall) => metadata[':path']?.endsWith('/IOStream') === true
