import { limits } from '../../../src/schemas/define/fields.ts'
import { searchFilter } from '../../../src/schemas/formats/listFilters.ts'
import { containerActs, containerQuery } from '../../../src/schemas/inspect/containers.ts'
import { createOrder, rightsOrder, transferOrder } from '../../../src/schemas/inspect/files.ts'
import { priorityOrder, signalOrder, signals } from '../../../src/schemas/inspect/processes.ts'
import { unitActs } from '../../../src/schemas/inspect/units.ts'
import { copyEntries, createEntry, moveEntries, setRights } from '../../inspect/fileOrders.ts'
import { notedPaths, notedTransfer } from '../../inspect/fileRoutes.ts'
import type { Inspector } from '../../inspect/inspector.ts'
import type { Subject } from '../../inspect/machine/programs.ts'
import { actOnContainer, actOnUnit, type Order, prioritize, readLogQuery, sendSignal } from '../../inspect/orders.ts'
import type { Snapshots } from '../../inspect/snapshots/snapshots.ts'
import { isSubject, type SubjectName, subjects } from '../../inspect/subjects/index.ts'
import { logs } from '../../inspect/subjects/logs.ts'
import { ApiError } from '../../wire/apiCall.ts'
import {
  anyObject,
  argument,
  array,
  badArgument,
  type CallContext,
  defineTool,
  flag,
  integer,
  object,
  type ServerRows,
  serverTool,
  type Tool,
  ToolFailure,
  text,
} from './tool.ts'

interface InspectToolServices {
  servers: ServerRows
  inspector: Inspector
  snapshots: Pick<Snapshots, 'read'>
}

/** How many items a model is given, unless it asks for more. */
const itemsByDefault = 50

const all: Readonly<Record<SubjectName, Subject<object>>> = subjects

/** What goes on in a machine, and what can be done about it. */
export function inspectTools({ servers, inspector, snapshots }: InspectToolServices): Tool[] {
  const { integer: whole, text: string } = argument
  const done = object({ done: flag }, ['done'])
  const act = actOn(inspector)

  const look = serverTool(servers, {
    name: 'server.inspect',
    description:
      `Tells what goes on in a server: ${Object.keys(subjects).join(', ')}. Processes come with what they take, those that ` +
      'take most of the processor first; what containers take comes with a second look. Without items, reason says what the ' +
      'machine lacks.',
    scope: 'nezha:server:read',
    input: { subject: string, search: string, limit: whole({ minimum: 1, maximum: 1000 }) },
    required: ['server_id', 'subject'],
    outputSchema: object({ items: array(anyObject), total: integer, reason: text, text }, ['items', 'total']),
    async run({ subject = '', search = '', limit = 0 }, { row, caller: { person } }) {
      if (!isSubject(subject)) throw badArgument(`subject must be one of ${Object.keys(subjects).join(', ')}`)
      // All words are looked for in all items.
      if (!searchFilter().safeParse(search).success)
        throw badArgument(`search has at most ${limits.shortText} characters`)
      const { items = [], reason, text } = await inspector.look(person, row.id, all[subject], undefined)
      const words = search.toLowerCase().split(/\s+/)
      const found = items.filter((item) => {
        const known = JSON.stringify(item).toLowerCase()
        return words.every((word) => known.includes(word))
      })
      return {
        items: found.sort(mostBusyFirst).slice(0, limit > 0 ? Math.min(limit, 1000) : itemsByDefault),
        total: found.length,
        ...(reason && { reason }),
        ...(text && { text }),
      }
    },
  })

  const signal = serverTool(servers, {
    name: 'process.signal',
    description: `Sends a process of a server one of the signals ${signals.join(', ')}. With started, as server.inspect has it, only if it is still the same process.`,
    scope: 'nezha:server:exec',
    input: { pid: whole({ minimum: 2 }), signal: string, started: string },
    required: ['server_id', 'pid', 'signal'],
    outputSchema: done,
    async run({ pid = 0, signal = '', started }, context) {
      const order = signalOrder.safeParse({ signal, ...(started && { started }) })
      if (!order.success) throw badArgument(`signal must be one of ${signals.join(', ')}`)
      context.note({ pid, signal: signal.slice(0, 8) })
      return act(context, sendSignal(String(pid), order.data))
    },
  })

  const priority = serverTool(servers, {
    name: 'process.priority',
    description: 'Gives a process of a server another nice value, from -20 (first) to 19 (last).',
    scope: 'nezha:server:exec',
    input: { pid: whole({ minimum: 2 }), nice: whole({ minimum: -20, maximum: 19 }), started: string },
    required: ['server_id', 'pid', 'nice'],
    outputSchema: done,
    async run({ pid = 0, nice = 0, started }, context) {
      const order = priorityOrder.safeParse({ nice, ...(started && { started }) })
      if (!order.success) throw badArgument('nice must be from -20 to 19')
      context.note({ pid, nice })
      return act(context, prioritize(String(pid), order.data))
    },
  })

  const container = serverTool(servers, {
    name: 'container.act',
    description: `Does one of ${containerActs.join(', ')} with a container of a server; engine is docker or podman. pull fetches the newest image of its name.`,
    scope: 'nezha:server:exec',
    input: { container: string, engine: string, act: string },
    required: ['server_id', 'container', 'act'],
    outputSchema: done,
    async run({ container = '', engine = '', act: verb = '' }, context) {
      const query = containerQuery.safeParse({ engine: engine || 'docker' })
      if (!query.success) throw badArgument('engine must be docker or podman')
      const order = ordered(() => actOnContainer(query.data.engine, container, verb))
      context.note({ container, act: verb })
      return act(context, order)
    },
  })

  const unit = serverTool(servers, {
    name: 'unit.act',
    description: `Does one of ${unitActs.join(', ')} with a unit of systemd, or a service of OpenRC, on a server.`,
    scope: 'nezha:server:exec',
    input: { unit: string, act: string },
    required: ['server_id', 'unit', 'act'],
    outputSchema: done,
    async run({ unit = '', act: verb = '' }, context) {
      const order = ordered(() => actOnUnit(unit, verb))
      context.note({ unit, act: verb })
      return act(context, order)
    },
  })

  const logLines = serverTool(servers, {
    name: 'server.logs',
    description:
      'Reads the last lines of the journal of a server that fit: by unit, by priority (0 to 7: this and more urgent), ' +
      'by time in seconds since 1970, by text; or of a file below /var/log. With earlier there are more before these: ask the ' +
      'same with before.',
    scope: 'nezha:server:read',
    input: {
      file: string,
      unit: string,
      text: string,
      priority: whole({ minimum: 0, maximum: 7 }),
      since: whole(),
      until: whole(),
      lines: whole({ minimum: 1, maximum: 2000 }),
      before: string,
    },
    required: ['server_id'],
    outputSchema: object({ items: array(anyObject), earlier: text, reason: text }, ['items']),
    async run(
      { file = '', unit = '', text = '', before = '', priority, since, until, lines = 100 },
      { row, caller: { person } },
    ) {
      const numbers = { priority, since, until, lines }
      const given = Object.entries(numbers).map(([name, value]) => [name, value === undefined ? '' : String(value)])
      const query = ordered(() => readLogQuery({ file, unit, text, before, ...Object.fromEntries(given) }))
      const { items = [], earlier, reason } = await inspector.look(person, row.id, logs, query)
      return { items, ...(earlier && { earlier }), ...(reason && { reason }) }
    },
  })

  const alarmSnapshot = defineTool({
    name: 'alarm.snapshot',
    description:
      'Tells what the server of an alarm said of itself when it began: the processes that took most, disks, failed units, ' +
      'the last lines of the journal. Without at none was taken, and reason says why.',
    scope: 'nezha:server:read',
    input: { alarm_id: argument.id },
    required: ['alarm_id'],
    outputSchema: object({
      server_id: integer,
      at: text,
      reason: text,
      processes: anyObject,
      disks: anyObject,
      units: anyObject,
      logs: anyObject,
    }),
    run: ({ alarm_id = 0 }, { caller: { person } }) => ordered(() => snapshots.read(person, alarm_id)),
  })

  return [look, logLines, alarmSnapshot, signal, priority, container, unit]
}

/** Has a server do something. @throws ToolFailure with the words of the machine */
const actOn =
  (inspector: Inspector) =>
  async ({ row, caller: { person } }: CallContext & { row: { id: number } }, order: Order) => {
    try {
      await inspector.act(person, row.id, order)
      return { done: true }
    } catch (error) {
      if (error instanceof ApiError) throw new ToolFailure('agent_error', error.message)
      throw error
    }
  }

/** What is wrong with an order is wrong with the arguments. */
export function ordered<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof ApiError ? badArgument(error.message) : error
  }
}

/** Items that take nothing stay as they were. */
const mostBusyFirst = (one: object, other: object) => cpuOf(other) - cpuOf(one)
const cpuOf = (item: object) => ('cpu' in item && typeof item.cpu === 'number' ? item.cpu : 0)

interface FileToolServices {
  servers: ServerRows
  inspector: Inspector
}

/** Paths of tools are plain text, as those of `fs.list`. */
const pathOf = (text = '') => text.replaceAll('%', '%25')

/** What `fs.list` and the others beside it, which are those of real servers, cannot do. */
export function fileTools({ servers, inspector }: FileToolServices): Tool[] {
  const { text: string, flag: whether } = argument
  const act = actOn(inspector)
  const outputSchema = object({ done: flag }, ['done'])

  const mkdir = serverTool(servers, {
    name: 'fs.mkdir',
    description: 'Makes a folder on a server.',
    scope: 'nezha:server:write',
    input: { path: string },
    required: ['server_id', 'path'],
    outputSchema,
    async run({ path }, context) {
      const order = createOrder.safeParse({ path: pathOf(path), kind: 'folder' })
      if (!order.success) throw badArgument('path is not valid')
      context.note(notedPaths([pathOf(path)]))
      return act(
        context,
        ordered(() => createEntry(order.data)),
      )
    },
  })

  const transfers = (['move', 'copy'] as const).map((verb) =>
    serverTool(servers, {
      name: `fs.${verb}`,
      description:
        verb === 'move'
          ? 'Renames or moves a file or a folder of a server.'
          : 'Copies a file, or a folder with all that is in it, on a server.',
      scope: 'nezha:server:write',
      input: { from: string, to: string, overwrite: whether },
      required: ['server_id', 'from', 'to'],
      outputSchema,
      async run({ from, to, overwrite = false }, context) {
        const order = transferOrder.safeParse({ items: [{ from: pathOf(from), to: pathOf(to) }], overwrite })
        if (!order.success) throw badArgument('from or to is not valid')
        context.note(notedTransfer(order.data.items))
        return act(
          context,
          ordered(() => (verb === 'move' ? moveEntries : copyEntries)(order.data)),
        )
      },
    }),
  )

  const rights = serverTool(servers, {
    name: 'fs.rights',
    description: 'Gives a file or a folder of a server another mode (octal), owner or group.',
    scope: 'nezha:server:write',
    input: { path: string, mode: string, owner: string, group: string, recursive: whether },
    required: ['server_id', 'path'],
    outputSchema,
    async run({ path, mode, owner, group, recursive = false }, context) {
      const given = { ...(mode && { mode }), ...(owner && { owner }), ...(group && { group }) }
      const order = rightsOrder.safeParse({ paths: [pathOf(path)], recursive, ...given })
      if (!order.success) throw badArgument(order.error.issues[0]?.message ?? 'the rights are not valid')
      context.note({ ...notedPaths([pathOf(path)]), ...given })
      return act(
        context,
        ordered(() => setRights(order.data)),
      )
    },
  })

  return [mkdir, ...transfers, rights]
}
