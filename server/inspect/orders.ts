import type { z } from 'zod'
import { type ContainerEngine, containerActs } from '../../src/schemas/inspect/containers.ts'
import { logQuery } from '../../src/schemas/inspect/logs.ts'
import type { priorityOrder, signalOrder } from '../../src/schemas/inspect/processes.ts'
import { unitActs } from '../../src/schemas/inspect/units.ts'
import { ApiError } from '../wire/apiCall.ts'
import { failure, type Programs } from './machine/programs.ts'
import { runContainerAct } from './subjects/containers.ts'
import { isLogFile, isPlace } from './subjects/logs.ts'
import { priorityScript, signalScript } from './subjects/processes.ts'
import { unitScript } from './subjects/units.ts'

/** Something that is done on a machine. @throws Silence with the words of the machine */
export type Order = (programs: Programs) => Promise<void>

/** Waits for a program that does something. @throws Silence with its words when it failed */
export async function succeed(result: ReturnType<Programs['run']>): Promise<void> {
  const { exit_code, stderr, stdout } = await result
  if (exit_code !== 0) throw failure(stderr.trim() || stdout)
}

/** The number of a process as the digits that a program is given. @throws ApiError */
export function pidOf(text: string): string {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new ApiError(`${text.slice(0, 32)} is not the id of a process`)
  return text
}

/** As `pidOf`, for what is done to a process: the first one is not for this. @throws ApiError */
function changedPid(text: string): string {
  if (text === '1') throw new ApiError('1 is not the id of a process')
  return pidOf(text)
}

/** @throws ApiError when that is no process */
export function sendSignal(process: string, { signal, started = '' }: z.output<typeof signalOrder>): Order {
  const args = [signal, changedPid(process), started]
  return ({ script }) => succeed(script(signalScript, args))
}

/** @throws ApiError when that is no process */
export function prioritize(process: string, { nice, started = '' }: z.output<typeof priorityOrder>): Order {
  const args = [String(nice), changedPid(process), started]
  return ({ script }) => succeed(script(priorityScript, args))
}

/** Seconds that a program may take to stop what runs. */
const stopSeconds = 90

/** @throws ApiError when there is no such act, or that is no container */
export function actOnContainer(engine: ContainerEngine, id: string, act: string): Order {
  const known = actIn(containerActs, act)
  const container = containerId(id)
  return (programs) => succeed(runContainerAct(programs, engine, known, container))
}

/** @throws ApiError when there is no such act, or that is no unit */
export function actOnUnit(name: string, act: string): Order {
  const args = [actIn(unitActs, act), unitName(name)]
  return ({ script }) => succeed(script(unitScript, args, { seconds: stopSeconds }))
}

function actIn<const Act extends string>(acts: readonly Act[], given: string): Act {
  const known = acts.find((act) => act === given)
  if (!known) throw new ApiError(`${given.slice(0, 32)} is none of ${acts.join(', ')}`)
  return known
}

/** The name or id of a container, as a program is given it. @throws ApiError */
export function containerId(text: string): string {
  if (/^[a-zA-Z\d][\w.-]{0,254}$/.test(text)) return text
  throw new ApiError(`${text.slice(0, 64)} is not the id of a container`)
}

/** The name of a unit, as a program is given it. @throws ApiError */
export function unitName(text: string): string {
  if (/^[a-zA-Z\d_:@][\w:.@\\-]{0,254}$/.test(text)) return text
  throw new ApiError(`${text.slice(0, 64)} is not the name of a unit`)
}

/**
 * The query of a call with the types of its schema. A name without a value counts as absent.
 * @throws ApiError that names what is wrong
 */
export function readQuery<Query extends z.ZodObject>(
  schema: Query,
  texts: Readonly<Record<string, string>>,
): z.output<Query> {
  const values = Object.entries(texts).flatMap(([name, text]): [string, string | number][] => {
    if (text === '') return []
    const isNumber = /^-?\d+$/.test(text) && schema.shape[name]?.safeParse(text).success === false
    return [[name, isNumber ? Number(text) : text]]
  })
  const { success, data, error } = schema.safeParse(Object.fromEntries(values))
  if (success) return data
  const [issue] = error.issues
  throw new ApiError(`${issue?.path.join('.') || 'the query'} is not valid: ${issue?.message}`)
}

/** @throws ApiError when the file is not below /var/log, or that is no unit */
export function readLogQuery(texts: Readonly<Record<string, string>>): z.output<typeof logQuery> {
  const query = readQuery(logQuery, texts)
  if (query.unit !== undefined) unitName(query.unit)
  if (query.file !== undefined && !isLogFile(query.file)) throw new ApiError('file is not one below /var/log')
  if (query.before !== undefined && !isPlace(query.before, query.file)) {
    throw new ApiError('before is no place of this log: take what earlier of an answer says')
  }
  return query
}
