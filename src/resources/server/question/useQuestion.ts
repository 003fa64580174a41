import { useEffect, useRef, useState } from 'react'
import { HttpError, useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/useToast.ts'
import { questionEndpoints as endpoints } from '../../../schemas/endpoints/questionEndpoints.ts'
import type { QuestionAnswer, QuestionOrder, QuestionState, QuestionText } from '../../../schemas/inspect/question.ts'

/** All that is known of a question so far. */
export interface Asked extends Pick<QuestionState, 'kind' | 'text' | 'total' | 'done' | 'failed' | 'ended'> {
  answers: readonly QuestionAnswer[]
  texts: ReadonlyMap<number, QuestionText>
}

/** Adds what a look has brought. */
const withLook = (
  { answers, texts }: Pick<Asked, 'answers' | 'texts'>,
  { answers: added, texts: more, next: _, ...state }: QuestionState,
): Asked => ({
  ...state,
  answers: [...answers, ...added],
  texts: new Map([...texts, ...more.map((one): [number, QuestionText] => [one.id, one])]),
})

/** Milliseconds between two looks at a question that is under way. */
const lookMs = 1000

/** A question to many servers, from when it is asked until its dialog closes, which ends it. */
export function useQuestion() {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { showError } = useToast()
  const [asked, setAsked] = useState<Asked>()
  const [isBeginning, setBeginning] = useState(false)
  /** The question that is on screen, and what ends the looks at it. */
  const current = useRef<{ id: string; timer?: ReturnType<typeof setTimeout>; isOver?: boolean }>(undefined)

  const stopLooking = () => {
    const question = current.current
    current.current = undefined
    clearTimeout(question?.timer)
    return question
  }
  const leave = useRef(() => {})
  leave.current = () => {
    const question = stopLooking()
    // Who has left is told nothing; the server ends it as well when nobody looks any more.
    if (question && !question.isOver) void call(endpoints.endQuestion, { question: question.id }).catch(() => undefined)
  }
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      leave.current()
    }
  }, [])

  function lookAgain(id: string, before: Pick<Asked, 'answers' | 'texts'>, ms: number): void {
    const question = current.current
    if (question?.id !== id) return
    question.timer = setTimeout(() => void look(id, before), ms)
  }

  async function look(id: string, before: Pick<Asked, 'answers' | 'texts'>): Promise<void> {
    try {
      const state = await call(endpoints.question, { question: id, after: before.answers.length })
      const question = current.current
      if (question?.id !== id) return
      const now = withLook(before, state)
      setAsked(now)
      question.isOver = state.ended !== undefined
      if (state.next < state.done) return lookAgain(id, now, 0)
      if (!state.ended || state.done < state.total) lookAgain(id, now, lookMs)
    } catch (error) {
      if (current.current?.id !== id) return
      // A reply that was lost comes again.
      if (error instanceof HttpError && error.status === 0) return lookAgain(id, before, lookMs)
      leave.current()
      showError(error)
      // No more of it can be known: what is there can be read and taken along.
      const { length } = before.answers
      setAsked((known) => known && { ...known, total: length, done: length, ended: known.ended ?? 'person' })
    }
  }

  return {
    asked,
    isBeginning,
    async ask({ kind, ...order }: QuestionOrder) {
      setBeginning(true)
      try {
        const begun =
          kind === 'command'
            ? await call(endpoints.commandServers, order)
            : await call(endpoints.askServers, { kind, ...order })
        current.current = { id: begun.id }
        if (isLeft.current) return leave.current()
        await look(begun.id, { answers: [], texts: new Map() })
      } catch (error) {
        showError(error)
      }
      setBeginning(false)
    },
    end() {
      const question = current.current
      if (question) void call(endpoints.endQuestion, { question: question.id }).catch(showError)
    },
    forget() {
      leave.current()
      setAsked(undefined)
    },
  }
}
