import type { QuestionAnswer, QuestionText } from '../../../schemas/inspect/question.ts'
import type { Asked } from './useQuestion.ts'

/** Servers whose answers are alike, or that have the same reason for none. */
export interface AnswerGroup {
  key: string
  answers: QuestionAnswer[]
  /** What they said; absent where they said nothing. */
  text?: QuestionText
}

/** The groups in the order in which they matter, and how many servers are alike, differ from those, and said nothing. */
export interface GroupedAnswers {
  groups: AnswerGroup[]
  alike: number
  differ: number
  unanswered: number
}

/** What differs comes first, the rarest before all; then who said nothing, and last what most have said. */
export function groupAnswers({ answers, texts }: Pick<Asked, 'answers' | 'texts'>): GroupedAnswers {
  const byKey = new Map<string, AnswerGroup>()
  for (const answer of answers) {
    const { text_id, cause, detail } = answer
    const key = text_id === undefined ? `${cause} ${detail}` : String(text_id)
    const known = byKey.get(key)
    if (known) known.answers.push(answer)
    else byKey.set(key, { key, answers: [answer], ...(text_id !== undefined && { text: texts.get(text_id) }) })
  }
  const bySize = [...byKey.values()].sort((one, other) => one.answers.length - other.answers.length)
  const said = bySize.filter(({ text }) => text)
  const silent = bySize.filter(({ text }) => !text)
  const sizes = said.map((group) => group.answers.length)
  const answered = sizes.reduce((sum, size) => sum + size, 0)
  const largest = sizes.at(-1) ?? 0
  // Where no two are alike, all differ.
  const alike = largest > 1 || answered === 1 ? largest : 0
  const most = alike > 0 ? said.slice(-1) : []
  return {
    groups: [...said.slice(0, said.length - most.length), ...silent, ...most],
    alike,
    differ: answered - alike,
    unanswered: answers.length - answered,
  }
}

/** Characters of a line that stands for an answer. */
const maxLine = 500

/** The first line of a text that another one has not at its place; the first one with a word where there is none. */
export function tellingLine(text: string, other = ''): string {
  const [lines, others] = [text, other].map((one) => one.split('\n').map((line) => line.slice(0, maxLine).trim()))
  return lines?.find((line, index) => line && line !== others?.[index]) ?? lines?.find(Boolean) ?? ''
}
