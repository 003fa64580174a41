import { limits } from '../../../src/schemas/define/limits.ts'
import { searchFilter } from '../../../src/schemas/formats/listFilters.ts'
import { containerActs, containerQuery } from '../../../src/schemas/inspect/containers.ts'
import { priorityOrder, signalOrder, signals } from '../../../src/schemas/inspect/processes.ts'
import { unitActs } from '../../../src/schemas/inspect/units.ts'
import type { Inspector } from '../../inspect/inspector.ts'
import type { Subject } from '../../inspect/machine/subject.ts'
import { actOnContainer, actOnUnit, prioritize, sendSignal } from '../../inspect/orders.ts'
import { readLogQuery } from '../../inspect/readQuery.ts'
import type { Snapshots } from '../../inspect/snapshots/snapshots.ts'
import { isSubject, type SubjectName, subjects } from '../../inspect/subjects/index.ts'
import { logs } from '../../inspect/subjects/logs.ts'
import { defineTool, type ServerRows, serverTool } from './defineTool.ts'
import { actOn, ordered } from './orders.ts'
import { anyObject, array, flag, integer, object, text } from './outputSchema.ts'
import { argument } from './readArguments.ts'
import type { Tool } from './tool.ts'
import { badArgument } from './toolFailure.ts'

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

/** Items that take nothing stay as they were. */
const mostBusyFirst = (one: object, other: object) => cpuOf(other) - cpuOf(one)
const cpuOf = (item: object) => ('cpu' in item && typeof item.cpu === 'number' ? item.cpu : 0)
