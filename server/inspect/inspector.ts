import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ServerRow } from '../entities/row.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { may, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { offline, type Programs, programsOf, Silence } from './machine/programs.ts'
import type { Said, Subject } from './machine/subject.ts'
import type { Order } from './orders.ts'
import { type Answer, createPolls, silentAnswer } from './polls.ts'

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
