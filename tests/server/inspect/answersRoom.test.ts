import { expect, it } from 'vitest'
import { createAnswers } from '../../../server/inspect/questions/answers.ts'

it('answers beyond what all questions may keep together are left out, and say so in their place', () => {
  let free = 1500
  const answers = createAnswers(() => free - answers.kept())
  answers.add(1, 'web-1', { text: 'a'.repeat(1400) })
  answers.add(2, 'web-2', { text: 'b'.repeat(1400) })
  answers.add(3, 'web-3', { text: 'c' })
  // What is known already takes no room.
  answers.add(4, 'web-4', { text: 'a'.repeat(1400) })
  const { answers: given, texts } = answers.since(0, () => true)
  expect(texts.map(({ text, truncated }) => [text.length, truncated])).toEqual([
    [1400, undefined],
    [100, true],
  ])
  expect(given.map(({ text_id, cause }) => text_id ?? cause)).toEqual([0, 1, 'left_out', 0])
  free = 3000
  answers.add(5, 'web-5', { text: 'c' })
  expect(answers.since(4, () => true).texts).toMatchObject([{ text: 'c' }])
})
