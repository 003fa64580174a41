import { randomUUID } from 'node:crypto'
import {
  questionLimits as limits,
  type QuestionEnd,
  type QuestionKind,
  type QuestionOrder,
  type QuestionState,
} from '../../../src/schemas/inspect/question.ts'
import { askSafely } from '../../concurrency/askSafely.ts'
import { takeTurns } from '../../concurrency/takeTurns.ts'
import type { Log } from '../../log.ts'
import { isAdmin, type Person } from '../../person.ts'
import { ApiError, timestamp } from '../../wire/apiCall.ts'
import type { Inspector } from '../inspector.ts'
import { Silence } from '../machine/programs.ts'
import { type Answers, createAnswers, notAllowed, type Unanswered } from './answers.ts'
import { type Question, questions as questionByKind } from './readings.ts'

/** Who asks, as they are at the moment of the question; `undefined` when they are signed out or deleted. */
export type Asker = () => Person | undefined

/** The same question to many servers. */
export interface Questions {
  /**
   * Begins to ask.
   * @returns the id of the question, and the names of its servers
   * @throws ApiError when it is none, the person may look into none of the servers, or too many questions are under way
   */
  ask(asker: Asker, order: QuestionOrder): { id: string; names: string[] }
  /**
   * The answers since the last look, as far as the person may know them.
   * @throws ApiError when there is no such question, or the person has not asked it and may look into none of its servers
   */
  look(person: Person | undefined, id: string, after: number): QuestionState
  /** Asks no further servers. @throws ApiError, as `look`, and for who has not asked it and is no administrator */
  end(person: Person | undefined, id: string): void
  /** Resolves when all answers of a question are there. @throws ApiError, as `look` */
  ended(person: Person | undefined, id: string): Promise<void>
  stop(): void
}

interface Services {
  inspector: Pick<Inspector, 'mayLook' | 'once'>
  /** The name of a server; `undefined` when there is none. */
  nameOf: (serverId: number) => string | undefined
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds between two looks whether questions may go on. Default: a second. */
  watchMs?: number
}

interface Run {
  id: string
  kind: QuestionKind
  text: string
  asker: Asker
  askedBy: string
  personId: number
  isOfAdmin: boolean
  tokenId: number | undefined
  servers: readonly { id: number; name: string }[]
  answers: Answers
  failed: number
  /** Servers that are being asked, with what ends that. */
  asked: Map<number, AbortController>
  startedAt: number
  lookedAt: number
  ended?: QuestionEnd
  endedAt: number
  finished: PromiseWithResolvers<void>
}

const minuteMs = 60_000
/** Causes that say that a server could not be asked at all: they do not count as failures. */
const notAsked: ReadonlySet<string> = new Set(['offline', 'agent_version', 'commands_off', 'platform', 'no_program'])

const deleted: Unanswered = { cause: 'deleted', reason: 'This server was deleted.' }
const tooLate: Unanswered = { cause: 'ended', reason: 'The question had ended before this server answered.' }

export function createQuestions({ inspector, nameOf, log, now, watchMs = 1000 }: Services): Questions {
  /** The oldest first. */
  const runs = new Map<string, Run>()
  let timer: NodeJS.Timeout | undefined

  const isOf = ({ personId, tokenId }: Run, { id, token }: Person) => personId === id && tokenId === token?.id
  const all = (isMeant: (run: Run) => boolean) => [...runs.values()].filter(isMeant)
  const isRunning = ({ ended }: Run) => ended === undefined
  const mayEnd = (run: Run, person: Person) => isOf(run, person) || (isAdmin(person) && !person.token)
  /** Characters that answers may still take. */
  const room = () =>
    limits.allQuestions -
    all(({ answers }) => answers.count() > 0).reduce((sum, { answers }) => sum + answers.kept(), 0)

  /** Why a server is not asked any more. */
  function refusal(run: Run, id: number): Unanswered | undefined {
    if (nameOf(id) === undefined) return deleted
    return inspector.mayLook(run.asker(), id) ? undefined : notAllowed
  }

  async function askOne(run: Run, question: Question, { id, name }: { id: number; name: string }): Promise<void> {
    const refused = refusal(run, id)
    if (refused) return run.answers.addUnanswered(id, refused === deleted ? name : '', refused)
    const controller = new AbortController()
    run.asked.set(id, controller)
    try {
      const told = await inspector.once(id, (programs) => question(programs, controller.signal))
      // What a machine says is for those who may look into it when it has said it.
      const since = run.ended ? tooLate : refusal(run, id)
      if (since) return run.answers.addUnanswered(id, name, since)
      run.answers.add(id, name, told)
      if (told.exitCode !== undefined && told.exitCode !== 0) run.failed++
    } catch (error) {
      const why = run.ended ? tooLate : (refusal(run, id) ?? reasonOf(error))
      run.answers.addUnanswered(id, name, why)
      if (error instanceof Silence && !run.ended && !notAsked.has(error.silence)) run.failed++
    } finally {
      run.asked.delete(id)
    }
  }

  function reasonOf(error: unknown): Unanswered {
    if (error instanceof Silence) return { cause: error.silence, reason: error.message, detail: error.detail }
    log.error('A server could not be asked:', error)
    return { cause: 'failed', reason: 'This server could not be asked.' }
  }

  async function askAll(run: Run, question: Question, { at_once, stop_after }: QuestionOrder): Promise<void> {
    const { servers, answers } = run
    // Thousands that cannot be asked are done with at once.
    const turn = takeTurns()
    let next = 0
    async function askNext(): Promise<void> {
      for (let server = servers[next++]; server; server = servers[next++]) {
        if (run.ended) answers.addUnanswered(server.id, server.name, tooLate)
        else await askOne(run, question, server)
        if (stop_after > 0 && run.failed >= stop_after) end(run, 'failures')
        await turn()
      }
    }
    await Promise.all(Array.from({ length: Math.min(at_once, servers.length) }, askNext))
    end(run, 'done')
    run.finished.resolve()
  }

  function end(run: Run, how: QuestionEnd): void {
    if (run.ended) return
    run.ended = how
    run.endedAt = now()
    for (const controller of run.asked.values()) controller.abort()
  }

  function watch(): void {
    for (const run of runs.values()) {
      if (!run.ended) watchOne(run)
      else if (now() - run.endedAt > limits.keptMinutes * minuteMs) runs.delete(run.id)
    }
    if (runs.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function watchOne(run: Run): void {
    if (!run.asker()) end(run, 'signed_out')
    else if (now() - run.startedAt > limits.minutes * minuteMs) end(run, 'time')
    else if (now() - run.lookedAt > limits.unwatchedSeconds * 1000) end(run, 'left')
    else for (const [id, controller] of run.asked) if (refusal(run, id)) controller.abort()
  }

  /** As `watch`, from a timer. */
  function watchSafely(): void {
    const failure = 'Whether questions to servers may go on could not be found out; they were ended:'
    if (askSafely(() => watch() ?? true, { fallback: false, log, failure })) return
    for (const run of runs.values()) end(run, 'signed_out')
  }

  /** Makes room for one more. @throws ApiError when too many are under way */
  function makeRoom(person: Person): void {
    const isOwn = (run: Run) => run.personId === person.id
    const { perPerson, crowded, total } = limits.running
    const own = all((run) => isOwn(run) && isRunning(run)).length
    if (own >= perPerson) {
      throw new ApiError(`${perPerson} questions of yours are under way: wait for one, or end it`)
    }
    const counted = all((run) => isRunning(run) && !run.isOfAdmin).length
    if (!isAdmin(person) && counted >= (own > 0 ? crowded : total)) {
      throw new ApiError(`${counted} questions are under way on this server: try again in a minute`)
    }
    dropOldest(isOwn, limits.kept.perPerson)
    dropOldest(() => true, limits.kept.total)
  }

  function dropOldest(isMeant: (run: Run) => boolean, kept: number): void {
    const meant = all(isMeant)
    const ended = meant.filter((run) => !isRunning(run))
    for (const { id } of ended.slice(0, Math.max(0, meant.length - kept + 1))) runs.delete(id)
  }

  /** A token sees what it has asked itself, and people what they may know of the answers. @throws ApiError */
  function runOf(person: Person | undefined, id: string): { run: Run; person: Person } {
    const run = runs.get(id)
    const mayKnow = (known: Run, { token }: Person) =>
      !token && known.servers.some((server) => inspector.mayLook(person, server.id))
    if (!run || !person || !(isOf(run, person) || mayKnow(run, person))) {
      throw new ApiError('question not found: ask it again')
    }
    return { run, person }
  }

  /** Whether what is said of a server is for this person. Of one that is deleted, only who has asked knows. */
  const mayRead = (run: Run, person: Person) => (serverId: number) =>
    nameOf(serverId) === undefined ? isOf(run, person) : inspector.mayLook(person, serverId)

  return {
    ask(asker, order) {
      const person = asker()
      if (!person) throw new ApiError('permission denied')
      const question = questionByKind[order.kind](order.text)
      const ids = [...new Set(order.servers)]
      if (!ids.some((id) => inspector.mayLook(person, id))) throw new ApiError('permission denied')
      makeRoom(person)
      const run: Run = {
        id: randomUUID(),
        kind: order.kind,
        text: order.text,
        asker,
        askedBy: person.username,
        personId: person.id,
        isOfAdmin: isAdmin(person),
        tokenId: person.token?.id,
        servers: ids.map((id) => ({ id, name: inspector.mayLook(person, id) ? (nameOf(id) ?? '') : '' })),
        answers: createAnswers(room),
        failed: 0,
        asked: new Map(),
        startedAt: now(),
        lookedAt: now(),
        endedAt: 0,
        finished: Promise.withResolvers(),
      }
      runs.set(run.id, run)
      timer ??= setInterval(watchSafely, watchMs).unref()
      askAll(run, question, order).catch((error: unknown) => {
        log.error('A question to servers could not go on:', error)
        end(run, 'failures')
        run.finished.resolve()
      })
      return { id: run.id, names: run.servers.map(({ name }) => name).filter(Boolean) }
    },
    look(person, id, after) {
      const { run, person: looking } = runOf(person, id)
      run.lookedAt = now()
      const { kind, text, askedBy, startedAt, servers, answers, failed, ended } = run
      return {
        kind,
        text,
        asked_by: askedBy,
        asked_at: timestamp(startedAt),
        may_end: mayEnd(run, looking),
        total: servers.length,
        done: answers.count(),
        failed,
        ...(ended && { ended }),
        ...answers.since(after, mayRead(run, looking)),
      }
    },
    end(person, id) {
      const { run, person: ending } = runOf(person, id)
      if (!mayEnd(run, ending)) throw new ApiError('permission denied')
      end(run, 'person')
    },
    ended: (person, id) => runOf(person, id).run.finished.promise,
    stop() {
      clearInterval(timer)
      for (const run of runs.values()) end(run, 'person')
    },
  }
}
