import { createHash } from 'node:crypto'
import {
  type QuestionAnswer,
  type QuestionText,
  questionLimits,
  type UnansweredCause,
} from '../../../src/schemas/inspect/question.ts'
import { ownText } from '../machine/programs.ts'
import type { Told } from './readings.ts'

/** The answers of one question, in the order in which they came; those that are alike share a text. */
export interface Answers {
  /** @param name of the server */
  add(serverId: number, name: string, told: Told): void
  addUnanswered(serverId: number, name: string, why: Unanswered): void
  count(): number
  /** Characters of texts that are kept. */
  kept(): number
  /**
   * Those since the last look, as far as one reply has room.
   * @param mayRead whether the person may know what a server said, and of it
   */
  since(
    after: number,
    mayRead: (serverId: number) => boolean,
  ): { answers: QuestionAnswer[]; texts: QuestionText[]; next: number }
}

/** Why there is no answer. */
export interface Unanswered {
  cause: UnansweredCause
  reason: string
  detail?: string
}

/** Answers and characters of texts in one reply. */
const replyLimits = { answers: 1000, texts: 524_288 } as const

export const notAllowed: Unanswered = { cause: 'not_allowed', reason: 'You may not look into this server.' }

const leftOut: Unanswered = {
  cause: 'left_out',
  reason: 'Left out: answers to all questions together may have 64 million characters.',
}

interface KnownText {
  text: QuestionText
  raw: string
  /** Places of the answers that have it, in their order. */
  at: number[]
}

/** @param room characters that all questions together have left */
export function createAnswers(room: () => number): Answers {
  const answers: QuestionAnswer[] = []
  const byKey = new Map<string, KnownText>()
  const byId: KnownText[] = []
  let kept = 0

  /** `undefined` when there is no room for it. */
  function textOf(told: Told, raw: string): KnownText | undefined {
    const { text, exitCode, isAbsent, truncated, size, checksum } = told
    const plain = withoutBlanks(text)
    const key = hash(JSON.stringify([exitCode, isAbsent, truncated, checksum ?? plain]))
    const known = byKey.get(key)
    if (known) return known
    const free = room()
    if (free <= 0 && text !== '') return undefined
    const left = Math.min(Math.max(questionLimits.allTexts - kept, questionLimits.beginning), free)
    const shown = ownText(text.slice(0, Math.min(left, questionLimits.answerBytes)))
    kept += shown.length
    const added: KnownText = {
      raw,
      at: [],
      text: {
        id: byId.length,
        text: shown,
        ...(exitCode !== undefined && { exit_code: exitCode }),
        ...(isAbsent && { is_absent: true }),
        ...((truncated || shown.length < text.length) && { truncated: true }),
        ...(checksum && { size, checksum }),
      },
    }
    byKey.set(key, added)
    byId.push(added)
    return added
  }

  return {
    count: () => answers.length,
    kept: () => kept,
    add(server_id, name, told) {
      const raw = hash(told.text)
      const known = textOf(told, raw)
      if (!known) return this.addUnanswered(server_id, name, leftOut)
      const differs = known.raw !== raw
      known.at.push(answers.length)
      answers.push({ server_id, name, text_id: known.text.id, ...(differs && { differs_in_blanks: true }) })
    },
    addUnanswered(server_id, name, { cause, reason, detail }) {
      answers.push({ server_id, name, cause, reason: ownText(reason), ...(detail && { detail: ownText(detail) }) })
    },
    since(after, mayRead) {
      // One look may be of somebody else, who may know other answers: nothing is remembered of whom was told what.
      const hadBefore = (known: KnownText) =>
        known.at.some((place) => place < after && mayRead(answers[place]?.server_id ?? 0))
      const told = new Map<KnownText, boolean>()
      const texts = new Set<KnownText>()
      const shown: QuestionAnswer[] = []
      let length = 0
      let next = Math.min(after, answers.length)
      for (; next < answers.length && shown.length < replyLimits.answers && length < replyLimits.texts; next++) {
        const answer = answers[next]
        if (!answer) break
        const { server_id, text_id } = answer
        if (!mayRead(server_id)) {
          shown.push({ server_id, name: '', ...notAllowed })
          continue
        }
        shown.push(answer)
        const known = text_id === undefined ? undefined : byId[text_id]
        if (!known || texts.has(known)) continue
        const isTold = told.get(known) ?? hadBefore(known)
        told.set(known, isTold)
        if (isTold) continue
        length += known.text.text.length
        texts.add(known)
      }
      return { answers: shown, texts: [...texts].map(({ text }) => text), next }
    },
  }
}

/** Two answers are alike whose lines are, whatever blanks and line ends they have. */
const withoutBlanks = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()

const hash = (text: string) => createHash('sha256').update(text).digest('base64')
