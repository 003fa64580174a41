import type { z } from 'zod'
import type { answerOf } from '../../src/schemas/inspect/answer.ts'
import { answerLimits } from '../../src/schemas/inspect/answer.ts'
import type { Host } from '../machines/hosts/host.ts'
import { timestamp } from '../wire/timestamp.ts'
import { type Programs, programsOf, Silence } from './machine/programs.ts'
import type { Said, Subject } from './machine/subject.ts'

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
      if (known && now() < known.freshUntil) {
        keep(id, key, known)
        return known.answer as Promise<Answer<never>>
      }
      const poll: Poll = { host, freshUntil: Number.POSITIVE_INFINITY, answer: Promise.resolve({}), said: known?.said }
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
