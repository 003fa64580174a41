import { useState } from 'react'

/** Lets work wait for what a person says: `ask` shows the question and resolves with what `answer` was called with. */
export function useQuestion<Question, Answer>() {
  const [open, setOpen] = useState<{ question: Question; resolve: (answer: Answer) => void }>()
  return {
    question: open?.question,
    ask: (question: Question) => new Promise<Answer>((resolve) => setOpen({ question, resolve })),
    answer: (answer: Answer) => {
      setOpen(undefined)
      open?.resolve(answer)
    },
  }
}
