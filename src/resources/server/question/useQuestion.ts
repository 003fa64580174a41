import { useEffect, useState } from 'react'
import { HttpError, useDataProvider, useEvent } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { questionEndpoints as endpoints } from '../../../schemas/endpoints/questionEndpoints.ts'
import type { QuestionAnswer, QuestionState, QuestionText } from '../../../schemas/inspect/question.ts'

/** All that is known of a question so far. */
export interface Asked extends Omit<QuestionState, 'answers' | 'texts' | 'next'> {
  answers: readonly QuestionAnswer[]
  texts: ReadonlyMap<number, QuestionText>
}

type Known = Pick<Asked, 'answers' | 'texts'>

const nothing: Known = { answers: [], texts: new Map() }

/** Adds what a look has brought. */
const withLook = (
  { answers, texts }: Known,
  { answers: added, texts: more, next: _, ...state }: QuestionState,
): Asked => ({
  ...state,
  answers: [...answers, ...added],
  texts: new Map([...texts, ...more.map((one): [number, QuestionText] => [one.id, one])]),
})

/** Milliseconds between two looks at a question that is under way. */
const lookMs = 1000

/** Looks at a question until all its answers are there, from its first one on. It ends when nobody looks any more. */
export function useQuestion(id: string) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { showError } = useToast()
  const [asked, setAsked] = useState<Asked>()
  const [problem, setProblem] = useState<Error>()
  const [tries, setTries] = useState(0)

  /** @returns the milliseconds until the next look; `undefined` when there is nothing more to see */
  const look = useEvent(async (before: Known): Promise<{ known: Known; ms?: number }> => {
    const state = await call(endpoints.question, { question: id, after: before.answers.length })
    const known = withLook(before, state)
    // What a role did not allow before may be allowed now: its text has gone by then.
    if (known.answers.some(({ text_id }) => text_id !== undefined && !known.texts.has(text_id))) {
      return { known: nothing, ms: lookMs }
    }
    setAsked(known)
    if (state.next < state.done) return { known, ms: 0 }
    return { known, ms: state.ended && state.done >= state.total ? undefined : lookMs }
  })

  const failed = useEvent((error: unknown) => {
    setProblem(error instanceof Error ? error : new Error(String(error)))
    // No more of it can be known: what is there can be read and taken along.
    setAsked((known) => {
      const { length } = known?.answers ?? []
      return known && { ...known, total: length, done: length, ended: known.ended ?? 'person' }
    })
    if (asked) showError(error)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try begins anew
  useEffect(() => {
    let isOpen = true
    let timer: ReturnType<typeof setTimeout> | undefined
    async function lookOn(before: Known): Promise<void> {
      try {
        const { known, ms } = await look(before)
        if (isOpen && ms !== undefined) timer = setTimeout(() => void lookOn(known), ms)
      } catch (error) {
        if (!isOpen) return
        // A reply that was lost comes again.
        if (error instanceof HttpError && error.status === 0) timer = setTimeout(() => void lookOn(before), lookMs)
        else failed(error)
      }
    }
    void lookOn(nothing)
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [look, failed, tries])

  return {
    asked,
    /** Why there is nothing to see. */
    problem,
    retry: () => {
      setProblem(undefined)
      setTries(tries + 1)
    },
    end: () => void call(endpoints.endQuestion, { question: id }).catch(showError),
  }
}
