import type { z } from 'zod'
import { answerLimits, type answerOf } from '../../src/schemas/inspect/answer.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { may, type Person } from '../person.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import { offline, type Programs, programsOf, type Said, Silence, type Subject } from './machine/programs.ts'
import type { Order } from './orders.ts'

/** Looks into machines, and acts there, for those who may work on them. */
export interface Inspector {
  /** @throws ApiError when there is no such server, or the person may not look into it */
  look<Item, Query, Before extends Said<Item>>(
    person: Person | undefined,
    id: number,
    subject: Subject<Item, Query, Before>,
    query: Query,
  ): Promise<Answer<Item>>
  /**
   * Does something on a machine.
   * @returns the row of the server
   * @throws ApiError with the words of the machine
   */
  act(person: Person | undefined, id: number, order: Order): Promise<ServerRow>
  /**
   * The machine of a server, for work that needs more than one answer.
   * @throws ApiError when there is no such server, the person may not work on it, or it does not report
   */
  machine(person: Person | undefined, id: number): OpenMachine
  /** Whether a person may look into a server. */
  mayLook(person: Person | undefined, id: number): boolean
  /** What a server is called; nothing when it has gone. */
  nameOf(id: number): string
  /** As `look`, for this server itself: whoever is shown the answer has to be allowed to look. */
  ask<Item, Query, Before extends Said<Item>>(
    id: number,
    subject: Subject<Item, Query, Before>,
    query: Query,
  ): Promise<Answer<Item>>
  /**
   * Runs programs on a machine whose answer is not shared with others who look.
   * @returns what `work` does
   * @throws Silence, also when there is no such server
   */
  once<T>(id: number, work: (programs: Programs) => Promise<T>): Promise<T>
  /** Lets the next answers about a machine be new. */
  renew(id: number): void
  stop(): void
}

export interface OpenMachine {
  row: ServerRow
  host: Host
  /** They throw `Silence`. */
  programs: Programs
}

interface Options {
  store: Store
  machines: Pick<Machines, 'connected' | 'factsOf'>
  /** Milliseconds since 1970. */
  now: () => number
}

export function createInspector({ store, machines, now }: Options): Inspector {
  const servers = entityTable(store, server)
  const polls = createPolls(now)

  /** @throws ApiError */
  function rowOf(person: Person | undefined, id: number): ServerRow {
    const row = servers.get(id)
    if (!row) throw new ApiError('server not found')
    // Command lines, logs and files hold secrets: to look into a machine is to work on it.
    if (!may(person, 'act', row, [id])) throw new ApiError('permission denied')
    return row
  }

  /** @throws Silence */
  function machineOf(row: ServerRow): { id: number; host: Host; version: string } {
    const host = machines.connected(row)
    if (!host) throw offline()
    const { platform = '', version = '' } = machines.factsOf(row.id)?.host ?? {}
    if (/windows/i.test(platform)) {
      throw new Silence('platform', `The system of this machine has no command that tells this: ${platform}.`, platform)
    }
    return { id: row.id, host, version }
  }

  function open(person: Person | undefined, id: number): OpenMachine {
    const row = rowOf(person, id)
    try {
      const { host, version } = machineOf(row)
      return { row, host, programs: programsOf(host, version) }
    } catch (error) {
      throw inWords(error)
    }
  }

  async function ask<Item, Query, Before extends Said<Item>>(
    row: ServerRow,
    subject: Subject<Item, Query, Before>,
    query: Query,
  ): Promise<Answer<Item>> {
    try {
      return await polls.read(subject, machineOf(row), query)
    } catch (error) {
      if (error instanceof Silence) return silentAnswer(error)
      throw error
    }
  }

  return {
    look: async (person, id, subject, query) => ask(rowOf(person, id), subject, query),
    mayLook(person, id) {
      const row = servers.get(id)
      return row !== undefined && may(person, 'act', row, [id])
    },
    nameOf: (id) => String(servers.get(id)?.name ?? ''),
    async ask(id, subject, query) {
      const row = servers.get(id)
      return row ? ask(row, subject, query) : silentAnswer(offline())
    },
    async once(id, work) {
      const row = servers.get(id)
      if (!row) throw offline()
      const { host, version } = machineOf(row)
      return work(programsOf(host, version))
    },
    renew: polls.forget,
    async act(person, id, order) {
      const { row, programs } = open(person, id)
      try {
        await order(programs)
      } catch (error) {
        throw inWords(error)
      } finally {
        polls.forget(id)
      }
      return row
    },
    machine: open,
    stop: polls.stop,
  }
}

/** What a machine says in place of an answer, as the refusal of a call. */
export const inWords = (error: unknown): unknown => (error instanceof Silence ? new ApiError(error.message) : error)

export type Answer<Item> = z.input<ReturnType<typeof answerOf<z.ZodType<Item, Item>>>>

/** Asks machines, each of them once however many people look. */
export interface Polls {
  /** Never rejects but with a fault of this server: why a machine says nothing is an answer too. */
  read<Item, Query, Before extends Said<Item>>(
    subject: Subject<Item, Query, Before>,
    machine: { id: number; host: Host; version: string },
    query: Query,
  ): Promise<Answer<Item>>
  /** Lets the next answers about a machine be new: something was done to it. */
  forget(id: number): void
  stop(): void
}

interface Poll {
  host: Host
  answer: Promise<Answer<unknown>>
  /** What the machine said: before, until it has answered. */
  said?: Said<unknown>
  /** `Infinity` until it has answered; 0 when something was done to the machine since it was asked. */
  freshUntil: number
  askedAt: number
  timer?: NodeJS.Timeout
}

/** Milliseconds for which an answer is kept when nobody looks. */
const keptMs = 60_000
/** Answers of one machine that are kept at the same time: each other query is one. */
const keptPerMachine = 16
/**
 * A machine is asked so rarely that its programs run for 1.25 % of the time, but at least every 30 seconds: two of them may
 * run at once, and all of it stays below 2 % of a core.
 */
const restPerWork = 80
const longestFreshMs = 30_000
/** Milliseconds in which a machine that says nothing is not asked again. */
const silentMs = 3000

export function createPolls(now: () => number): Polls {
  /** By id of the machine, then by what is asked; what was looked at last is last. */
  const machines = new Map<number, Map<string, Poll>>()

  function drop(id: number, key: string): void {
    const polls = machines.get(id)
    clearTimeout(polls?.get(key)?.timer)
    polls?.delete(key)
    if (polls?.size === 0) machines.delete(id)
  }

  function keep(id: number, key: string, poll: Poll): void {
    drop(id, key)
    const polls = machines.get(id) ?? new Map<string, Poll>()
    machines.set(id, polls)
    const [oldest] = polls.keys()
    if (oldest !== undefined && polls.size >= keptPerMachine) drop(id, oldest)
    polls.set(key, poll)
    poll.timer = setTimeout(() => drop(id, key), keptMs)
    poll.timer.unref()
  }

  return {
    read(subject, { id, host, version }, query) {
      const key = `${subject.name} ${JSON.stringify(query)}`
      const last = machines.get(id)?.get(key)
      const known = last?.host === host ? last : undefined
      // A clock that was set back must not keep an answer fresh until that time comes again.
      if (known && now() >= known.askedAt && now() < known.freshUntil) {
        keep(id, key, known)
        return known.answer as Promise<Answer<never>>
      }
      const poll: Poll = {
        host,
        freshUntil: Number.POSITIVE_INFINITY,
        askedAt: now(),
        answer: Promise.resolve({}),
        said: known?.said,
      }
      const programs = programsOf(host, version)
      const answer = ask(subject, programs, query, known?.said as never).then(
        ({ said, answer }) => {
          poll.said = said
          const workMs = programs.spentMs() * (subject.workShare ?? 1)
          const fresh = said
            ? Math.max(subject.freshMs, Math.min(Math.round(workMs * restPerWork), longestFreshMs))
            : silentMs
          if (poll.freshUntil !== 0) poll.freshUntil = now() + fresh
          return { ...answer, at: timestamp(now()), fresh_ms: fresh }
        },
        (error: unknown) => {
          if (machines.get(id)?.get(key) === poll) drop(id, key)
          throw error
        },
      )
      poll.answer = answer
      keep(id, key, poll)
      return answer
    },
    forget(id) {
      for (const poll of machines.get(id)?.values() ?? []) {
        // What the machine said stays what the next answer is compared with; one that says nothing keeps its rest.
        if (poll.freshUntil === Number.POSITIVE_INFINITY || poll.said) poll.freshUntil = 0
      }
    },
    stop() {
      for (const polls of machines.values()) for (const { timer } of polls.values()) clearTimeout(timer)
      machines.clear()
    },
  }
}

async function ask<Item, Query, Before extends Said<Item>>(
  subject: Subject<Item, Query, Before>,
  programs: Programs,
  query: Query,
  before: Before | undefined,
): Promise<{ said?: Before; answer: Answer<Item> }> {
  try {
    const said = await subject.ask(programs, query, before)
    const { items, text, truncated, earlier } = said
    const isCut = truncated || items.length > answerLimits.items
    // What nobody is shown is not kept either.
    items.splice(answerLimits.items)
    return {
      said,
      answer: { items, ...(text && { text }), ...(isCut && { truncated: true }), ...(earlier && { earlier }) },
    }
  } catch (error) {
    if (!(error instanceof Silence)) throw error
    return { answer: silentAnswer(error) }
  }
}

/** The answer for a machine that says nothing. */
export const silentAnswer = ({ message, silence, detail }: Silence): Answer<never> => ({
  items: [],
  reason: message,
  cause: silence,
  ...(detail && { detail }),
})
